"""How a report looks: one sheet for light, dark and paper, with nothing from outside."""

from __future__ import annotations

FIGURE = """
.grid{stroke:var(--line);stroke-width:1}
.paper{fill:var(--paper)}
.tick,.axis,.name,.key{font:13px system-ui,sans-serif;fill:var(--soft)}
.tick{text-anchor:middle}.axis{text-anchor:end}.name{text-anchor:end;fill:var(--ink)}
line.human{stroke:var(--mark);stroke-width:2.5}circle.human{fill:var(--mark)}
line.assisted,line.other{stroke:var(--other);stroke-width:2}
circle.assisted,circle.other{fill:var(--other)}
line.truth{stroke:var(--truth);stroke-width:2.5}
.curve{fill:none;stroke:var(--mark);stroke-width:2}.band{fill:var(--mark);opacity:.22}
circle.query{fill:var(--paper);stroke:var(--mark);stroke-width:1.5}
"""

LIGHT = (
    "--paper:#fff;--ink:#1a1a1a;--soft:#555b61;--line:#dcdfe3;--mark:#0b57a4;--other:#b35900;"
    "--truth:#1a1a1a;--band:#f4f5f7;--warn:#8a4b00"
)
DARK = (
    "--paper:#15181b;--ink:#e8eaec;--soft:#a8b0b8;--line:#363c42;--mark:#7db7f0;--other:#e8a05c;"
    "--truth:#e8eaec;--band:#1e2226;--warn:#f0b070"
)

PICTURE = f":root{{{LIGHT}}}@media (prefers-color-scheme:dark){{:root{{{DARK}}}}}{FIGURE}"

PAGE = f"""
:root{{color-scheme:light dark;{LIGHT}}}
@media (prefers-color-scheme:dark){{:root{{{DARK}}}}}
*{{box-sizing:border-box}}
body{{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}}
main{{max-width:52rem;margin:0 auto;padding:2rem 1.25rem 4rem}}
h1{{font-size:1.7rem;line-height:1.25;margin:0 0 .25rem}}
h2{{font-size:1.2rem;margin:2.5rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--line)}}
h3{{font-size:1rem;margin:1.6rem 0 .4rem}}
p,ul,ol,dl{{margin:.5rem 0}}li{{margin:.25rem 0}}
.soft,caption,dt{{color:var(--soft)}}
.claim{{font-size:1.1rem;background:var(--band);padding:.7rem 1rem}}
.claim{{border-left:4px solid var(--mark)}}
.warn{{border-left:4px solid var(--warn);padding:.3rem 0 .3rem 1rem}}
.wide{{overflow-x:auto}}
table{{border-collapse:collapse;min-width:40%;font-variant-numeric:tabular-nums;font-size:.92rem}}
caption{{text-align:left;padding:.3rem 0}}
th,td{{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}}
th{{font-weight:600;border-bottom-width:2px}}
.n{{text-align:right;white-space:nowrap}}
dl{{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}}
dd{{margin:0;overflow-wrap:anywhere}}
code,pre{{font:.88em/1.5 ui-monospace,monospace;background:var(--band)}}
code{{padding:.05em .3em;overflow-wrap:anywhere}}pre{{padding:.8rem 1rem;overflow-x:auto}}
svg{{width:100%;height:auto;min-width:30rem;max-width:45rem;display:block;margin:.5rem 0}}
td:first-child,th:first-child{{padding-left:0}}
@media (max-width:34rem){{dl{{grid-template-columns:1fr;gap:0}}dd{{margin-bottom:.5rem}}}}
@media print{{:root{{{LIGHT}}}body{{font-size:10.5pt}}main{{max-width:none;padding:0}}
h2,h3{{break-after:avoid}}table,svg,.claim,.warn{{break-inside:avoid}}pre{{white-space:pre-wrap}}}}
{FIGURE}"""
