"""Cells that try to act on whoever reads them: each script would change the title of the page."""

from __future__ import annotations

from typing import Final

MARKDOWN: Final = """# A heading
<script>document.title = 'acted: markdown'</script>
<img src="x" onerror="document.title = 'acted: markdown'">

[a link](javascript:document.title='acted: link') **bold**"""

CODE: Final = """from IPython.display import HTML, SVG, Javascript, Markdown, display
display(HTML("<script>document.title = 'acted: html'</script>"))
display(HTML("<img src=x onerror=\\"document.title = 'acted: handler'\\">"))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' onload=\\"document.title='acted: svg'\\"></svg>"))
display(Javascript("document.title = 'acted: javascript'"))
display(Markdown("<script>document.title = 'acted: prose'</script>"))
print("</pre></code><script>document.title = 'acted: print'</script>")
display({"image/png": "\\"><script>document.title = 'acted: picture'</script>", "text/plain": "no picture"}, raw=True)
raise ValueError("</pre><script>document.title = 'acted: error'</script>")"""

RAW: Final = "<script>document.title = 'acted: raw cell'</script>"
