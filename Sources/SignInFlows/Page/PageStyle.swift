import Crypto
import FoundationEssentials

/// The style of all pages, embedded in each page, so that one response is a complete page. All
/// sizes are in rem, so they scale with the reader's text size. Contrast is at least 4.5 to 1 for
/// text and 3 to 1 for borders of controls.
enum PageStyle {
  /// The source expression that allows only this style (CSP Level 3, section 2.3.1).
  static let hash = "sha256-" + Data(SHA256.hash(data: Data(element.text.utf8))).base64EncodedString()

  static let element = HTML.lines([base, controls, providers, ends, motion])

  private static let base = HTML.verbatim(
    """
    :root{color-scheme:light dark;--paper:#f4f3f0;--card:#fff;--ink:#1b1a18;--soft:#5c5954;--line:#e2dfd9;--edge:#85817a;
    --main:#1b1a18;--on-main:#fff;--good:#17734a;--bad:#b3261e;--bad-paper:#fdf0ee;--focus:#1a5fd0}
    @media (prefers-color-scheme:dark){:root{--paper:#121110;--card:#1c1b19;--ink:#f1efeb;--soft:#b1ada5;--line:#35332f;
    --edge:#8b867d;--main:#f1efeb;--on-main:#1b1a18;--good:#62c795;--bad:#ff9a90;--bad-paper:#33201e;--focus:#8ab4ff}}
    *,*::before,*::after{box-sizing:border-box}
    html{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;line-height:1.5;-webkit-text-size-adjust:100%}
    body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink)}
    main{width:100%;max-width:25rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;
    box-shadow:0 1px 2px rgb(0 0 0/.04),0 1rem 2.5rem -1rem rgb(0 0 0/.12);overflow-wrap:anywhere}
    @media (max-width:26rem){body{padding:0;place-items:stretch}main{border:0;border-radius:0;box-shadow:none;padding:1.5rem min(1rem,16px)}}
    .brand{display:flex;align-items:center;gap:.5rem;margin:0 0 1.75rem;font-size:.875rem;font-weight:600;color:var(--soft)}
    .brand svg{flex:none;width:1.25rem;height:1.25rem}
    h1,.end>p{text-wrap:balance}
    h1{margin:0;font-size:1.625rem;line-height:1.2;font-weight:650;letter-spacing:-.015em}
    p{margin:0}
    .lead{margin-top:.375rem;color:var(--soft)}
    .lead strong{color:var(--ink);font-weight:600}
    .small{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.8125rem;color:var(--soft)}
    .origin{color:var(--ink)}
    .other,.back{margin-top:1rem;text-align:center;color:var(--soft)}
    .other a,.back a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .25rem;color:var(--ink)}
    .back{margin-top:0}
    a{text-underline-offset:.2em}
    :focus-visible{outline:3px solid var(--focus);outline-offset:2px}
    """)

  private static let controls = HTML.verbatim(
    """
    form{margin:0}
    label{display:block;margin:1.25rem 0 .375rem;font-weight:600;font-size:.9375rem}
    input{display:block;width:100%;min-height:2.75rem;padding:.5rem .875rem;font:inherit;color:inherit;background:var(--card);
    border:1px solid var(--edge);border-radius:.75rem}
    button{font:inherit;cursor:pointer}
    .way,.main{display:flex;align-items:center;justify-content:center;width:100%;min-height:2.75rem;border-radius:1.375rem;
    text-align:center;text-decoration:none;font-weight:500;line-height:1.25;overflow-wrap:break-word}
    .main{font-weight:600;margin-top:1.5rem;padding:.5rem 1rem;border:1px solid transparent;background:var(--main);color:var(--on-main)}
    .plain{padding:.5rem 1rem;border:1px solid var(--edge);color:var(--ink);background:transparent}
    .quiet{min-height:2.75rem;min-width:2.75rem;padding:.25rem 1rem;border:0;border-radius:1.375rem;background:none;color:var(--soft);
    text-decoration:underline;text-underline-offset:.2em}
    .cancel{margin-top:.5rem;text-align:center}
    [aria-disabled=true]{cursor:default}
    [aria-disabled=true]:not(.busy){opacity:.5}
    .alert{margin-top:1.25rem;padding:.75rem 1rem;border:1px solid var(--bad);border-radius:.75rem;background:var(--bad-paper);text-align:start}
    .alert p:first-child{font-weight:600;color:var(--bad)}
    .alert p+p{margin-top:.25rem}
    .alert+.lead{margin-top:1rem}
    .alert:focus{outline:2px solid var(--focus);outline-offset:2px}
    """)

  /// Heights are 44 px at the default text size.
  private static let providers = HTML.verbatim(
    """
    .ways{display:grid;gap:.75rem;margin-top:1.75rem}
    .apple{padding:0 min(1.5rem,8%) 0 0;background:#000;color:#fff;font-family:-apple-system,BlinkMacSystemFont,system-ui,sans-serif;
    font-size:1.1825rem;font-weight:500;line-height:1.1}
    .apple svg{flex:none;width:1.9375rem;height:2.75rem}
    .google{padding:.125rem .825rem;gap:.6875rem;background:#fff;color:#1f1f1f;border:1px solid #747775;
    font-family:Roboto,Arial,system-ui,sans-serif;font-size:.9625rem;font-weight:500}
    .google svg{flex:none;width:1.25rem;height:1.25rem}
    @media (prefers-color-scheme:dark){.apple{background:#fff;color:#000}.google{background:#131314;color:#e3e3e3;border-color:#8e918f}}
    .or{display:flex;align-items:center;gap:.75rem;font-size:.875rem;color:var(--soft)}
    .or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
    @media (hover:hover){.google:hover,.apple:hover,.main:hover{box-shadow:0 1px 4px rgb(0 0 0/.3)}.plain:hover{border-color:var(--ink)}}
    @media (forced-colors:active){.way,.main{border:1px solid ButtonText}}
    """)

  private static let ends = HTML.verbatim(
    """
    .end{display:grid;justify-items:center;gap:.75rem;padding:.5rem 0 1rem;text-align:center}
    .end p{color:var(--soft)}
    .end p strong{color:var(--ink)}
    .end .alert{width:100%;margin-top:.25rem}
    .end .alert p{color:inherit}
    .end .alert p:first-child{color:var(--bad)}
    .sign{width:3.5rem;height:3.5rem;margin-bottom:.25rem;fill:none;stroke:currentColor;stroke-width:2.5;stroke-linecap:round;
    stroke-linejoin:round;color:var(--soft)}
    .good{color:var(--good)}
    .bad{color:var(--bad)}
    .rail{stroke:var(--line)}
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
