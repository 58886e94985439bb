import FoundationEssentials
import Hashing

/// The style of all pages, embedded in each page, so that one response is a complete page.
///
/// Text has four sizes and space has six, all as variables and in rem, so they scale with the
/// reader's text size. Contrast is at least 4.5 to 1 for text and 3 to 1 for borders of controls.
enum PageStyle {
  /// The source expression that allows only this style (CSP Level 3, section 2.3.1).
  static let hash = "sha256-" + Data(SHA256.digest(element.text)).base64EncodedString()

  static let element = HTML.lines([scales, colours, frame, controls, methods, messages, motion])

  /// `--height` is 46 px at the default text size, and so at least the 44 px of a target.
  private static let scales = HTML.verbatim(
    """
    :root{--small:.875rem;--text:1rem;--step:1.125rem;--title:1.25rem;
    --space-1:.25rem;--space-2:.5rem;--space-3:.75rem;--space-4:1rem;--space-5:1.5rem;--space-6:2rem;
    --height:2.875rem;--corner:.625rem}
    """)

  private static let colours = HTML.verbatim(
    """
    :root{color-scheme:light dark;--paper:#f4f3f0;--card:#fff;--ink:#1b1a18;--soft:#5c5954;--line:#e2dfd9;--edge:#85817a;
    --tint:#f0eeea;--main:#1b1a18;--on-main:#fff;--good:#17734a;--bad:#b3261e;--bad-paper:#fdf0ee;--focus:#1a5fd0}
    @media (prefers-color-scheme:dark){:root{--paper:#121110;--card:#1c1b19;--ink:#f1efeb;--soft:#b1ada5;--line:#35332f;
    --edge:#8b867d;--tint:#2b2926;--main:#f1efeb;--on-main:#1b1a18;--good:#62c795;--bad:#ff9a90;--bad-paper:#33201e;--focus:#8ab4ff}}
    """)

  private static let frame = HTML.verbatim(
    """
    *,*::before,*::after{box-sizing:border-box}
    html{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;line-height:1.5;-webkit-text-size-adjust:100%}
    body{margin:0;min-height:100vh;min-height:100svh;display:grid;grid-template-columns:minmax(0,30rem);place-content:center;
    padding:var(--space-4);background:var(--paper);color:var(--ink);font-size:var(--text)}
    main{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--space-5);padding:var(--space-6);background:var(--card);
    border:1px solid var(--line);border-radius:1.25rem;
    box-shadow:0 1px 2px rgb(0 0 0/.04),0 1rem 2.5rem -1rem rgb(0 0 0/.12);overflow-wrap:anywhere}
    @media (max-width:30rem){body{padding:0;grid-template-columns:minmax(0,1fr);place-content:stretch}
    main{align-content:start;border:0;border-radius:0;box-shadow:none;padding:var(--space-5) min(var(--space-4),16px)}}
    h1,h2,p{margin:0}
    p{text-wrap:pretty}
    h1,h2{line-height:1.25;letter-spacing:-.01em}
    h1{font-size:var(--title)}
    header h1{font-weight:500}
    h2{font-size:var(--step);text-wrap:balance}
    header{display:grid;gap:var(--space-2)}
    .brand{display:flex;align-items:center;gap:var(--space-2);font-size:var(--small);font-weight:600;color:var(--soft)}
    .brand svg{flex:none;width:1.25rem;height:1.25rem}
    .brand+.title{flex-wrap:wrap;margin-top:var(--space-4)}
    h1 strong,.who{display:inline-block;max-width:100%;text-wrap:balance}
    .small{font-size:var(--small);color:var(--soft)}
    .small strong{color:var(--ink)}
    footer{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 var(--space-4);
    padding-top:var(--space-2);border-top:1px solid var(--line)}
    a{text-underline-offset:.2em}
    :focus-visible{outline:3px solid var(--focus);outline-offset:2px}
    """)

  private static let controls = HTML.verbatim(
    """
    form{margin:0}
    button{font:inherit;cursor:pointer}
    .button{display:flex;align-items:center;justify-content:center;gap:var(--space-3);width:100%;min-height:var(--height);
    padding:var(--space-2) var(--space-4);border:1px solid transparent;border-radius:var(--corner);font-weight:600;line-height:1.25;
    text-align:center;text-decoration:none;overflow-wrap:break-word}
    .primary{background:var(--main);color:var(--on-main)}
    .secondary{background:none;border-color:var(--edge);color:var(--ink)}
    .quiet{min-width:var(--height);min-height:var(--height);padding:var(--space-1) 0;
    border:0;border-radius:var(--corner);background:none;color:var(--ink);text-decoration:underline;text-underline-offset:.2em}
    [aria-disabled=true]{cursor:default}
    [aria-disabled=true]:not(.busy){opacity:.5}
    .other{background:var(--tint);color:var(--ink)}
    .answers{display:grid;gap:var(--space-3)}
    .instead{display:grid;gap:var(--space-2)}
    .fields{display:grid;gap:var(--space-5)}
    .fields div{display:grid;gap:var(--space-2)}
    label{font-weight:600}
    input{flex:1;width:100%;min-width:0;min-height:var(--height);padding:var(--space-2) var(--space-3);font:inherit;color:inherit;
    background:var(--card);border:1px solid var(--edge);border-radius:var(--corner)}
    .fields .revealed{display:flex}
    .show{flex:none;width:var(--height);min-height:var(--height);padding:0;border:1px solid var(--edge);border-radius:var(--corner);
    background:none;color:var(--ink)}
    .show svg{width:1.5rem;height:1.5rem;vertical-align:middle}
    .show[aria-pressed=false] .strike{display:none}
    .line{fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
    .paused{cursor:default;opacity:.6}
    .again{display:grid;gap:var(--space-2)}
    .links{display:grid;color:var(--soft)}
    .links a{display:inline-flex;align-items:center;min-height:var(--height);color:var(--ink)}
    @media (hover:hover){.button:hover{box-shadow:0 1px 4px rgb(0 0 0/.3)}.secondary:hover,.other:hover,.show:hover{border-color:var(--ink)}}
    @media (forced-colors:active){.button,.show{border-color:ButtonText}}
    """)

  private static let methods = HTML.verbatim(
    """
    .methods{display:grid;gap:var(--space-3)}
    .method{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,auto) minmax(0,1fr);gap:var(--space-2);
    padding-inline:var(--space-3);font-weight:500;overflow-wrap:anywhere}
    .apple,.google{grid-template-columns:minmax(1.5rem,1fr) minmax(0,auto) minmax(0,1fr)}
    .method span{grid-column:2}
    .method svg{width:1.5rem;height:1.5rem}
    .apple{padding-block:0;background:#000;color:#fff;font-family:-apple-system,BlinkMacSystemFont,system-ui,sans-serif}
    .apple svg{height:2.75rem}
    .apple span{padding-block:var(--space-2)}
    .google{background:#fff;color:#1f1f1f;border-color:#747775;font-family:Roboto,system-ui,-apple-system,sans-serif}
    @media (prefers-color-scheme:dark){.apple{background:#fff;color:#000}.google{background:#131314;color:#e3e3e3;border-color:#8e918f}}
    """)

  /// A message that gets the focus has a bar at its side, and no outline: it is no control.
  private static let messages = HTML.verbatim(
    """
    .title{display:flex;align-items:center;gap:var(--space-3)}
    .sign{flex:none;width:2rem;height:2rem;fill:none;stroke:currentColor;stroke-width:4;stroke-linecap:round;
    stroke-linejoin:round;color:var(--soft)}
    .good{color:var(--good)}
    .bad{color:var(--bad)}
    .rail{stroke:var(--line)}
    .alert,.stalled{padding:var(--space-3) var(--space-4);border-inline-start:.25rem solid var(--bad);background:var(--bad-paper)}
    .stalled{border-color:var(--edge);background:var(--paper)}
    .alert p:first-child{font-weight:600;color:var(--bad)}
    .alert p+p,.alert .links{margin-top:var(--space-1)}
    .alert .links p{margin:0;font-weight:400}
    .alert:focus,.stalled:focus{outline:0}
    .next{display:grid;gap:var(--space-2)}
    .command{display:block;padding:var(--space-2) var(--space-3);border:1px solid var(--line);border-radius:var(--corner);
    background:var(--paper);font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:var(--small);
    -webkit-user-select:all;user-select:all}
    .stalled .command{margin-top:var(--space-2);background:var(--card)}
    """)

  /// Animations, unless the reader prefers reduced motion.
  private static let motion = HTML.verbatim(
    """
    @media (prefers-reduced-motion:no-preference){
    .good path{stroke-dasharray:1;animation:draw .45s .1s ease-out both}
    .turning{animation:turn 1s linear infinite}
    @keyframes draw{from{stroke-dashoffset:1}to{stroke-dashoffset:0}}
    @keyframes turn{to{transform:rotate(1turn)}}}
    """)
}
