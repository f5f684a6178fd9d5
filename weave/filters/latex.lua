-- latex.lua: la forma impresa de lo que tiene el libro.
local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local anchors = dofile(pandoc.path.join { here, 'anchors.lua' })
local found, solutions = {}, pandoc.List()
local WIDTH = 80                    -- columnas de código que caben en la línea

local function raw(text) return pandoc.RawBlock('latex', text) end
local function inline(text) return pandoc.RawInline('latex', text) end

local special = { ['\\'] = '\\textbackslash{}', ['{'] = '\\{', ['}'] = '\\}',
  ['_'] = '\\_', ['#'] = '\\#', ['%'] = '\\%', ['&'] = '\\&', ['$'] = '\\$',
  ['^'] = '\\^{}', ['~'] = '\\textasciitilde{}', ['-'] = '-{}' , ["'"] = "\\textquotesingle{}",
  ['"'] = '\\textquotedbl{}', ['`'] = '\\textasciigrave{}', [' '] = '\\ ' }
local function escape(text) return (text:gsub('[\\{}_#%%&$^~%-\'"` ]', special)) end

-- Un nombre largo puede partirse tras un signo, sin guión: si no, se sale
local BREAKS = '([_./(,:%->=])'
local function code(el)
  local out = {}
  for piece, sign in (el.text .. '\0'):gmatch('([^_./(,:%->=%s%z]*)([_./(,:%->=%s%z])') do
    out[#out + 1] = escape(piece)
    if sign == ' ' then out[#out + 1] = ' '
    elseif sign ~= '\0' then out[#out + 1] = escape(sign) .. '\\allowbreak{}' end
  end
  return inline('\\texttt{' .. table.concat(out) .. '}')
end

-- En un Verbatim de color el guión está activo y rompe \hyperlink
local function target(id) return (id:gsub('%-', '.')) end

local function link(el)
  if el.target:match('^codigo/') then return el.content end
  local id = el.target:match('^#(.+)$')
  if not id then return nil end
  anchors.with_number(el, found[id])
  if id:match('^t%-') then
    local out = pandoc.List { inline('\\hyperlink{' .. target(id) .. '}{') }
    out:extend(el.content)
    out:insert(inline('}'))
    if el.classes:includes('def') then        -- en los índices, la página
      out:insert(inline('~(p.~\\pageref{' .. target(id) .. '})'))
    end
    return out
  end
  return el
end

local appendix = false
local function header(el)
  local number = el.attributes.number
  el.attributes.number = nil
  if el.level == 1 and not number then      -- la cabecera de página, suya
    local title = pandoc.utils.stringify(el.content)
    return { el, raw('\\markboth{' .. title .. '}{' .. title .. '}') }
  end
  if el.level ~= 1 then return el end
  local out = pandoc.List()
  local n = tonumber(number) or (number:byte() - 64)
  if not tonumber(number) and not appendix then
    appendix = true
    out:insert(raw('\\appendix'))
  end
  out:insert(raw('\\setcounter{chapter}{' .. (n - 1) .. '}'))
  out:insert(el)
  return out
end

-- pandoc 2 enlaza con \hyperlink y pandoc 3 con \hyperref: cada sitio vale para los dos
local function anchor(id)
  if id == '' then return '' end
  return '\\hypertarget{' .. id .. '}{}\\phantomsection\\label{' .. id .. '}'
end

local function figure(el)
  if #el.content ~= 1 or el.content[1].t ~= 'Image' then return nil end
  local image = el.content[1]
  local number = image.attributes.number
  if not number then return nil end
  local file = image.src:gsub('%.svg$', '.pdf')
  local there = io.open(file)
  if there then there:close() end
  local caption = pandoc.List { inline('\\caption*{\\lining\\textbf{Figura~' .. number .. '.} ') }
  caption:extend(image.caption)
  caption:insert(inline('}'))
  return {
    raw('\\begin{figure}[!htb]\\centering' .. anchor(image.identifier) .. '%\n' ..
        (there and '\\includegraphics[width=.86\\linewidth]{' .. file .. '}'
         or '\\fbox{falta ' .. file .. '}')),
    pandoc.Plain(caption),
    raw('\\end{figure}'),
  }
end

-- Lo que dice un programa puede ser más ancho que la página: se parte
local function fold(text)
  local out = {}
  for line in (text .. '\n'):gmatch('(.-)\n') do
    while (utf8.len(line) or #line) > WIDTH do
      local at = utf8.offset(line, WIDTH) or WIDTH
      local cut = line:sub(1, at - 1):match('^.*() ') or at
      out[#out + 1] = line:sub(1, cut - 1) .. ' ↩'
      line = '    ' .. line:sub(cut):gsub('^ ', '')
    end
    out[#out + 1] = line
  end
  return table.concat(out, '\n')
end

-- Por dónde puede partirse el código entre dos páginas: una cifra tras cada línea
-- menos la última. 0, por ahí no: ni tras las primeras líneas ni ante las últimas, ni
-- ante lo que cierra lo de antes. 1, bien; 2, si hace falta; 3, a mitad de una frase
local function breaks(text, least)
  local lines = {}
  for line in (text .. '\n'):gmatch('(.-) *\n') do lines[#lines + 1] = line end
  local out = {}
  for n = 1, #lines - 1 do
    local this, that = lines[n], lines[n + 1]
    local class = 2
    if n < least or #lines - n < least or that == '' or that:match('^ *[{})%]]')
       or that:match('^ *else') or this:match('{$') then class = 0
    elseif this == '' or this:match('^ ') and that:match('^[^ ]') then class = 1
    elseif this:match('[,(&|+?:=\\]$') or that:match('^ *[&|?:"+-]') then class = 3 end
    out[n] = class
  end
  return table.concat(out)
end

local function code_block(el)
  if el.classes:includes('codigo') then return nil end
  el.text = fold(el.text)
  return { raw('\\cortes{' .. breaks(el.text, 2) .. '}{20}{150}{400}'), el }
end

-- Las medidas, en puntos: la línea, y por cuerpo de letra lo que ocupan un signo
-- y el hueco de una columna
local LINE = 372
local SIZES = { { name = '\\small', char = 5.15, gap = 9 },
                { name = '\\footnotesize', char = 4.6, gap = 6 },
                { name = '\\scriptsize', char = 3.95, gap = 4 } }

local function sum(list)
  local total = 0
  for _, n in ipairs(list) do total = total + n end
  return total
end

-- Una tabla, en listas: las columnas, y por fila sus celdas o el grupo que abre
local function plain_table(tbl)
  local out = { right = {}, head = {}, rows = pandoc.List() }
  for i, spec in ipairs(tbl.colspecs) do out.right[i] = spec[1] == 'AlignRight' end
  local function cells(row)
    local list = pandoc.List()
    for i, cell in ipairs(row.cells or row[2]) do list[i] = cell.contents or cell[5] end
    return list
  end
  out.head = cells((tbl.head.rows or tbl.head[2])[1])
  for _, body in ipairs(tbl.bodies) do
    for _, row in ipairs(body.head or {}) do
      out.rows:insert { group = cells(row)[1][1].content }
    end
    for _, row in ipairs(body.body) do out.rows:insert { cells = cells(row) } end
  end
  return out
end

-- De una fórmula cuenta lo que se ve: ni llaves ni nombres de órdenes
local function seen(el)
  return pandoc.Str((el.text:gsub('\\[%a]+ ?', 'x'):gsub('[\\{}_^]', '')))
end
local function length(blocks)
  local text = pandoc.utils.stringify(pandoc.Pandoc(blocks):walk { Math = seen })
  return utf8.len(text) or #text, text
end

-- La palabra más larga; un código se parte también tras sus signos
local function longest_word(blocks)
  local most = 1
  local text = pandoc.utils.stringify(pandoc.Pandoc(blocks):walk { Math = seen,
    Code = function(el) return pandoc.Str((el.text:gsub(BREAKS, '%1 '))) end })
  for word in text:gmatch('%S+') do most = math.max(most, utf8.len(word) or #word) end
  return most
end

-- Las filas seguidas que empiezan igual, en una tabla larga, pasan a un grupo: lo
-- repetido se dice una vez, y las demás columnas ganan su sitio
local function regroup(tbl)
  local runs, last = 0, nil
  for _, row in ipairs(tbl.rows) do
    if row.group then return end
    local _, text = length(row.cells[1])
    if text ~= last then runs = runs + 1 end
    last = text
  end
  if #tbl.head < 3 or tbl.right[1] or #tbl.rows <= 15 or runs > #tbl.rows / 3 then return end
  local title, rows = tbl.head:remove(1)[1].content, pandoc.List()
  table.remove(tbl.right, 1)
  last = nil
  for _, row in ipairs(tbl.rows) do
    local cell = row.cells:remove(1)
    local _, text = length(cell)
    if text ~= last then
      local words = title:clone()
      words:extend { pandoc.Str ':', pandoc.Space() }
      words:extend(cell[1].content)
      rows:insert { group = words }
    end
    last = text
    rows:insert(row)
  end
  tbl.rows = rows
end

-- Elige la letra y, si ni así cabe cada celda en una línea, los anchos en puntos: a
-- cada columna su palabra más larga, y lo que sobra según lo que lleva
local function fit(tbl)
  local longest, body, words, n = {}, {}, {}, #tbl.head
  local function look(cells, list)
    for i, cell in ipairs(cells) do
      list[i] = math.max(list[i] or 1, (length(cell)))
      words[i] = math.max(words[i] or 1, longest_word(cell))
    end
  end
  look(tbl.head, longest)
  for _, row in ipairs(tbl.rows) do look(row.cells or {}, body) end
  for i = 1, n do longest[i] = math.max(longest[i], body[i] or 1) end
  local first = #tbl.rows > 40 and 2 or 1
  for k = first, 2 do                    -- la menor, sólo si ni partiendo celdas
    local size = SIZES[k]
    if sum(longest) * size.char + (n - 1) * size.gap <= LINE then return size end
  end
  for k = first, #SIZES do
    local size = SIZES[k]
    local room = (LINE - (n - 1) * size.gap) / size.char
    local need, want = {}, {}
    for i = 1, n do
      need[i] = math.max(words[i], body[i] <= 14 and body[i] or 0) +
                (tbl.right[i] and 0.2 or 0.8)
      want[i] = math.max(longest[i] - need[i], 0) ^ 0.75
    end
    local spare, widths, narrow = room - sum(need), {}, false
    for i = 1, n do
      widths[i] = need[i] + math.max(spare, 0) * want[i] / math.max(sum(want), 1)
      narrow = narrow or widths[i] < math.min(body[i], 22)
      widths[i] = math.min(widths[i], longest[i] + 1) * size.char
                  * math.min(1, room / sum(need))
    end
    if spare >= 0 and (k > 1 or not narrow) or k == #SIZES then return size, widths end
  end
end

local function latex(blocks)
  local doc = pandoc.Pandoc(blocks):walk { Code = code }
  return (pandoc.write(doc, 'latex'):gsub('%s+$', ''))
end

-- Una tabla se escribe aquí y no en pandoc, que pierde las celdas que ocupan varias
-- columnas. La corta no se parte: con número, flota cerca de su texto, y sin él se
-- queda. La larga se parte entre filas y repite su cabecera
local function table_(el)
  local tbl = plain_table(el)
  regroup(tbl)
  local size, widths = fit(tbl)
  local spec, lines = {}, 0
  local function side(i) return tbl.right[i] and '\\raggedleft' or '\\raggedright' end
  for i = 1, #tbl.head do
    spec[i] = not widths and (tbl.right[i] and 'r' or 'l')
      or string.format('>{%s\\arraybackslash}p{%.1fpt}', side(i), widths[i])
  end
  local function written(cells, head)
    local out, tall = {}, 1
    for i, cell in ipairs(cells) do
      out[i] = latex(cell)
      if widths then tall = math.max(tall, math.ceil(length(cell) * size.char / widths[i])) end
      if widths and head then
        out[i] = '\\begin{minipage}[b]{\\linewidth}' .. side(i) .. ' ' .. out[i] ..
                 '\\end{minipage}'
      end
    end
    lines = lines + tall
    return table.concat(out, ' & ') .. ' \\\\\n'
  end
  local head = '\\toprule\n' .. written(tbl.head, true) .. '\\midrule\n'
  local text = {}
  for i, row in ipairs(tbl.rows) do
    text[i] = row.cells and written(row.cells) or '\\multicolumn{' .. #spec ..
      '}{@{}l@{}}{\\bfseries ' .. latex { pandoc.Plain(row.group) } .. '} \\\\*\n'
  end
  text = table.concat(text)
  spec = '{@{}' .. table.concat(spec) .. '@{}}\n'
  local caption = #el.caption.long > 0 and latex(el.caption.long)
  local letter = size.name .. '\\lining\\setlength{\\tabcolsep}{' .. size.gap / 2 .. 'pt}'
  local place = el.attributes.ancla and anchor(el.attributes.ancla) or ''
  if lines > (el.attributes.ancla and 30 or 12) then
    return raw('\\sitio{9\\baselineskip}{' .. place .. letter .. '\\begin{longtable}[l]' .. spec ..
               (caption and '\\caption{' .. caption .. '}\\\\\n' or '') .. head ..
               '\\endfirsthead\n' .. head .. '\\endhead\n\\bottomrule\n\\endlastfoot\n' ..
               text .. '\\end{longtable}}')
  end
  local body = '\\begin{tabular}' .. spec .. head .. text .. '\\bottomrule\n\\end{tabular}'
  if el.attributes.ancla then
    return raw('\\begin{table}[!htb]' .. place .. letter .. '\\caption{' .. (caption or '') ..
               '}\n' .. body .. '\n\\end{table}')
  end
  return raw('\\tablaquieta{' .. (caption and '\\captionof{table}{' .. caption .. '}' or '') ..
             '}{' .. letter .. '\n' .. body .. '}')
end

-- Un título no se queda solo si detrás va una tabla larga, ni lo que acaba en dos
-- puntos si detrás va lo que anuncia
local function with_title(blocks)
  local out = pandoc.List()
  for i, block in ipairs(blocks) do
    local next = blocks[i + 1]
    if block.t == 'Para' and next and pandoc.utils.stringify(block):match(':$') then
      if next.t == 'RawBlock' and next.text:match('^\\cortes') then
        next.text = next.text .. '\\anunciado'
      elseif next.t == 'Plain' and next.content[1].t == 'RawInline'
          and next.content[1].text:match('^\\trozoabre') then
        block = pandoc.List { block, raw('\\par\\penalty300') }
      end
    end
    if block.t == 'Header' and next and next.t == 'RawBlock' and next.text:match('^\\sitio') then
      out:insert(raw('\\sitio{14\\baselineskip}'))
    end
    if block.t then out:insert(block) else out:extend(block) end
  end
  return out
end

local function numbered_table(el)
  return el:walk {
    Table = function(tbl)
      local first = tbl.caption.long[1]
      if first then
        first.content:insert(1, inline('\\textbf{Tabla~' .. el.attributes.number .. '.} '))
      end
      tbl.attributes.ancla = el.identifier
      return tbl
    end
  }.content
end

local function wrapped(open, blocks, close)
  local out = pandoc.List { raw(open) }
  out:extend(blocks)
  out:insert(raw(close))
  return out
end

local function with_start(text, blocks)      -- une el rótulo al primer párrafo
  local first = blocks[1]
  if first and (first.t == 'Para' or first.t == 'Plain') then
    first.content:insert(1, inline(text))
    return blocks
  end
  return wrapped(text, blocks, '')
end

-- Un trozo de hasta ocho líneas no se parte; otro corto, si el hueco sería grande
local function chunk_breaks(el)
  for _, block in ipairs(el.content) do
    if block.t == 'CodeBlock' then
      local where = breaks(block.text, 3)
      if #where < 8 then where = where:gsub('%d', '0') end
      return '{' .. where .. (#where < 14 and '}{200}{700}{900}' or '}{30}{250}{600}')
    end
  end
end

-- cabeza, código y pie
local function chunk(el)
  local out = pandoc.List()
  for _, block in ipairs(el.content) do
    if block.t == 'Div' and block.classes:includes('cabeza') then
      local name = pandoc.List()
      for _, x in ipairs(block.content[1].content) do
        if x.t == 'Span' and x.classes:includes('num') then
        elseif x.t == 'Span' and x.classes:includes('nombre') then
          name:insert(inline('\\trozonombre{')); name:extend(x.content); name:insert(inline('}'))
        else name:insert(x) end
      end
      name:insert(1, inline('\\trozoabre{' .. target(el.identifier) .. '}{' ..
                            el.attributes.number .. '}'))
      out:insert(pandoc.Plain(name))
      out:insert(raw('\\trozocodigo' .. chunk_breaks(el)))
    elseif block.t == 'Div' and block.classes:includes('pie') then
      local text = pandoc.List { inline('{\\trozopie ') }
      text:extend(block.content[1].content)
      text:insert(inline('\\par}'))
      out:insert(pandoc.Plain(text))
    else out:insert(block) end
  end
  out:insert(raw('\\trozocierra'))
  return out
end

local function exercise(el)
  local number = el.attributes.number
  local kept = pandoc.List()
  anchors.without_number(el.content)
  for _, block in ipairs(el.content) do
    if block.t == 'Div' and block.classes:includes('solucion') then
      solutions:insert { number = number, id = el.identifier, blocks = block.content }
    elseif block.t == 'Div' and block.classes:includes('pista') then
      kept:extend(with_start('\\pista ', block.content))
    else kept:insert(block) end
  end
  return with_start('\\ejercicio{' .. number .. '}' .. anchor(el.identifier), kept)
end

-- Un índice no es una lista con puntos: cada entrada, un párrafo colgante
local function entries(list)
  local out = pandoc.List()
  for _, item in ipairs(list.content) do out:insert(pandoc.Para(item[1].content)) end
  return out
end

local function div(el)
  local c = el.classes
  if c:includes('trozo') then return chunk(el)
  elseif c:includes('tabla') then return numbered_table(el)
  elseif c:includes('indice') then
    return wrapped('\\begin{indice}', entries(el.content[1]), '\\end{indice}')
  elseif c:includes('nota') then return wrapped('\\begin{nota}', el.content, '\\end{nota}')
  elseif c:includes('procedencia') then
    el.content:insert(2, raw('\\nobreak'))              -- su título no va solo
    return wrapped('\\begin{procedencia}', el.content, '\\end{procedencia}')
  elseif c:includes('ejercicio') then return exercise(el)
  end
end

-- La letra del libro no tiene subíndices de Unicode
local function str(el)
  if not el.text:match('\xe2\x82[\x80-\x8e]') then return nil end
  local out = pandoc.List()
  for piece, low in (el.text .. '\u{2080}'):gmatch('(.-)\xe2\x82([\x80-\x89])') do
    if piece ~= '' then out:insert(pandoc.Str(piece)) end
    out:insert(inline('\\textsubscript{' .. (low:byte() - 0x80) .. '}'))
  end
  out:remove()
  return out
end

-- Lua corta table.unpack a un valor si no va al final: de ahí esta función
local function around(open, content, close)
  local out = pandoc.List { inline(open) }
  out:extend(content)
  out:insert(inline(close))
  return out
end

local function span(el)
  if el.classes:includes('aparato') then
    return around('\\aparato{', el.content, '}')
  elseif el.classes:includes('grupo') then
    return around('\\textbf{', el.content, '}')
  elseif el.classes:includes('menor') then    -- «usado en», en los índices
    return pandoc.Str('en')
  elseif el.classes:includes('medido') then
    return around('{\\lining ', el.content, '}')
  end
end

-- Las soluciones, al final del libro: quien hace el ejercicio no las ve al lado
local function append_solutions(doc)
  local at
  for i, block in ipairs(doc.blocks) do
    if block.t == 'Header' and block.identifier == 'bibliografia' then at = i end
  end
  if #solutions == 0 then return doc end
  local out = pandoc.List { pandoc.Header(1, { pandoc.Str('Soluciones') },
    pandoc.Attr('soluciones', { 'unnumbered' })), raw('\\markboth{Soluciones}{Soluciones}') }
  for _, s in ipairs(solutions) do
    out:extend(with_start('\\ejercicio{' .. s.number .. '}', s.blocks))
  end
  local blocks = pandoc.List()
  for i, block in ipairs(doc.blocks) do
    if i == at then blocks:extend(out) end
    blocks:insert(block)
  end
  if not at then blocks:extend(out) end
  doc.blocks = blocks
  return doc
end

return {
  { Meta = function(meta) found = anchors.load(pandoc.utils.stringify(meta.targets)) end,
    Inlines = anchors.inlines },
  { Link = link, Table = anchors.groups },
  { Header = header, Para = figure, CodeBlock = code_block, Span = span, Str = str },
  { Div = div },
  { Table = table_ },
  { Blocks = with_title },
  { Code = code, Pandoc = append_solutions },
}
