"""A line chart as SVG that is readable on light and dark backgrounds."""

from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 40, 52
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-size: 14px; font-weight: 600; fill: #24292f }
  .grid { stroke: #d0d7de }
  .axis { stroke: #57606a }
  .level { stroke: #bf3989; stroke-dasharray: 6 4 }
  .level-text { fill: #bf3989; stroke: #ffffff; stroke-width: 4px; paint-order: stroke }
  .load { fill: none; stroke: #0969da; stroke-width: 1.5; stroke-linejoin: round }
  .background { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 }
    .title { fill: #f0f6fc }
    .grid { stroke: #3d444d }
    .axis { stroke: #9198a1 }
    .level { stroke: #f778ba }
    .level-text { fill: #f778ba; stroke: #0d1117 }
    .load { stroke: #4493f8 }
    .background { fill: #0d1117 }
  }
"""


def step_of(top, count=6):
    """Returns 1, 2 or 5 times a power of ten, so that at most `count` steps reach `top`."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power * count >= top:
                return factor * power
        power *= 10


def chart(title, x_label, y_label, points, x_end, x_step, levels):
    """`points` are (x, y), connected by a line from x = 0 to `x_end`; `levels` are (y, label), drawn as dashed lines."""
    top = 1.05 * max([y for _, y in points] + [y for y, _ in levels])
    step = step_of(top)
    x = lambda value: LEFT + value / x_end * (WIDTH - LEFT - RIGHT)
    y = lambda value: HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)
    parts = [f'<rect class="background" width="{WIDTH}" height="{HEIGHT}"/>',
             f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>']
    for value in range(0, int(top) + 1, step):
        parts.append(f'<line class="{"grid" if value else "axis"}" x1="{LEFT}" x2="{WIDTH - RIGHT}" '
                     f'y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    for value in range(0, int(x_end) + 1, x_step):
        parts.append(f'<line class="axis" x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{y(0):.1f}" y2="{y(0) + 4:.1f}"/>')
        parts.append(f'<text x="{x(value):.1f}" y="{y(0) + 18:.1f}" text-anchor="middle">{value}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_label)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text transform="translate(18 {middle:.1f}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>')
    line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
    parts.append(f'<polyline class="load" points="{line}"/>')
    for value, label in levels:
        parts.append(f'<line class="level" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(f'<text class="level-text" x="{WIDTH - RIGHT}" y="{y(value) - 6:.1f}" text-anchor="end">'
                     f"{escape(label)}: {value:.0f}</text>")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'role="img">\n<title>{escape(title)}</title>\n<style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")
