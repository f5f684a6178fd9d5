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
  if el.level ~= 1 then return { raw('\\needspace{7\\baselineskip}'), el } end
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

local function code_block(el)
  if el.classes:includes('codigo') then return nil end
  el.text = fold(el.text)
  return el
end

-- Las medidas, en puntos: la línea, y por cuerpo de letra lo que ocupan un signo
-- y el hueco de una columna
local LINE = 368
local SIZES = { { name = '\\small', char = 5.15, gap = 9 },
                { name = '\\footnotesize', char = 4.6, gap = 6 },
                { name = '\\scriptsize', char = 3.95, gap = 4 } }

local function sum(list)
  local total = 0
  for _, n in ipairs(list) do total = total + n end
  return total
end

-- Elige la letra y, si ni así cabe cada celda en una línea, los anchos: a cada
-- columna su palabra más larga, y lo que sobra según lo que lleva
local function fit(tbl)
  local longest, words = anchors.column_lengths(tbl)
  local n = #tbl.colspecs
  for k = 1, 2 do                        -- la menor, sólo si ni partiendo celdas
    local size = SIZES[k]
    if sum(longest) * size.char + n * size.gap <= LINE then
      tbl.colspecs = tbl.colspecs:map(function(spec) return { spec[1], nil } end)
      return size
    end
  end
  for k, size in ipairs(SIZES) do
    local room = (LINE - n * size.gap) / size.char
    local need, want = {}, {}
    for i = 1, n do
      need[i] = longest[i] <= 14 and longest[i] or words[i] + 0.5
      want[i] = (math.max(longest[i] - need[i], 0)) ^ 0.75
    end
    local spare = room - sum(need)
    if spare >= 0 or k == #SIZES then
      for i, spec in ipairs(tbl.colspecs) do
        local chars = need[i] + math.max(spare, 0) * want[i] / math.max(sum(want), 1)
        tbl.colspecs[i] = { spec[1], (chars * size.char + size.gap) / LINE }
      end
      return size
    end
  end
end

-- Una tabla corta no se parte entre dos páginas
local function table_(el)
  anchors.groups(el)
  local size = fit(el)
  local rows = 0
  for _, body in ipairs(el.bodies) do rows = rows + #body.body end
  return {
    raw('\\renewcommand{\\tablaletra}{' .. size.name .. '\\setlength{\\tabcolsep}{' ..
        size.gap / 2 .. 'pt}}' ..
        '\\needspace{' .. (rows <= 14 and rows + 4 or 10) .. '\\baselineskip}'),
    el,
  }
end

local function numbered_table(el)
  local number = el.attributes.number
  local out = el:walk {
    Table = function(tbl)
      local first = tbl.caption.long[1]
      if first then
        first.content:insert(1, inline('\\textbf{Tabla~' .. number .. '.} '))
      end
      return tbl
    end
  }
  local blocks = pandoc.List { raw(anchor(el.identifier)) }
  blocks:extend(out.content)
  return blocks
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

-- Las líneas de un trozo que van juntas: todas, si es corto; si no, las primeras
local function together(el)
  local lines = 1
  for _, block in ipairs(el.content) do
    if block.t == 'CodeBlock' then
      for _ in block.text:gmatch('\n') do lines = lines + 1 end
    end
  end
  return (lines <= 10 and lines or 7) + 3
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
                            el.attributes.number .. '}{' .. together(el) .. '}'))
      out:insert(pandoc.Plain(name))
      out:insert(raw('\\trozocodigo'))
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
    pandoc.Attr('soluciones', { 'unnumbered' })) }
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
    Inlines = anchors.device_once },
  { Link = link },
  { Header = header, Para = figure, Table = table_, CodeBlock = code_block, Span = span,
    Str = str },
  { Div = div },
  { Code = code, Pandoc = append_solutions },
}
