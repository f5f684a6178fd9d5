# aligera.sed: quita de la página lo que se repite por miles y nadie usa: un
# enlace y una etiqueta por línea de código, el color de operadores y números, el TeX
# de cada fórmula. Lo que más se repite del código va en las etiquetas más cortas:
# <b> palabra de C, <u> tipo, <i> lo demás con su clase.
s#<div class="sourceCode"[^>]*>(<pre)?#\1#
s#</code></pre></div>#</code></pre>#
s#<span id="cb[0-9]+-[0-9]+"><a href="\#cb[^>]*></a>(.*)</span>(</code></pre>)?$#\1\2#
s#(<code class="sourceCode [^>]*>)<span id="cb[0-9]+-[0-9]+"><a href="\#cb[^>]*></a>(.*)</span>(</code></pre>)?$#\1\2\3#
s#<span class="(op|dv|fl|bn)">([^<]*)</span>#\2#g
s#<span class="(kw|cf)">([^<]*)</span>#<b>\2</b>#g
s#<span class="at">((static|const|inline|extern|volatile)( (static|const|inline))*)</span>#<b>\1</b>#g
s#<span class="dt">([^<]*)</span>#<u>\1</u>#g
s#<span class="(bu|st|ch|sc|pp|im|at|co|ex|cn|va|fu)">([^<]*)</span>#<i class=\1>\2</i>#g
s#<span class="an">(⟨[^<]*⟩)</span>#\1#g
s#class="sourceCode #class="#g
s#<pre class="[a-z]+ codigo"><code[^>]*>#<pre tabindex=0><code>#
s#<pre class="#<pre tabindex=0 class="#
s#<tr class="(header|odd|even)">#<tr>#
s# style="text-align: left;"##g
s# style="text-align: right;"# class="n"#g
s# style="text-align: center;"# class="c"#g
s#<th colspan#<th scope=rowgroup colspan#
# una celda vacía no encabeza nada; estos papeles ya no se usan
s#<th( class="[nc]")?></th>#<td\1></td>#g
s# role="doc-(biblioentry|bibliography)"##
s#<math display="inline" xmlns="[^"]*"><semantics>#<math>#g
s#<math display="block" xmlns="[^"]*"><semantics>#<math display="block">#g
s#<annotation encoding="application/x-tex">[^<]*</annotation></semantics>##g
