-- anchors.lua: lo que hay en el libro y dónde. Lo usan los filtros.
local anchors = {}

function anchors.load(path)
  local found = {}
  local file = assert(io.open(path), 'anchors.lua: falta ' .. path)
  for line in file:lines() do
    local id, page, kind, number = line:match('^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)')
    found[id] = { page = page, kind = kind, number = number }
  end
  file:close()
  return found
end

-- [figura](#fig:x) se lee «figura 4.1», sin que nadie escriba el número
function anchors.with_number(link, target)
  if target and (target.kind == 'figura' or target.kind == 'tabla'
      or target.kind == 'ejercicio')
     and not pandoc.utils.stringify(link.content):match('%d') then
    link.content:insert(pandoc.Str('\u{a0}' .. target.number))
  end
  return link
end

-- Dentro de un párrafo el aparato se dice una vez, hasta que cambia
function anchors.device_once(inlines)
  local last
  local out = pandoc.List()
  for _, x in ipairs(inlines) do
    if x.t == 'Span' and x.classes:includes('aparato') then
      local device = pandoc.utils.stringify(x.content)
      if device ~= last then out:insert(x) end
      last = device
    else out:insert(x) end
  end
  return out
end

-- El número de un ejercicio lo pone la prensa: sobra el que abra su texto
function anchors.without_number(blocks)
  local strong = blocks[1] and blocks[1].content and blocks[1].content[1]
  if not strong or strong.t ~= 'Strong' then return end
  local first = strong.content[1]
  if not first or first.t ~= 'Str' or not first.text:match('^%d[%d.]*%.?$') then return end
  strong.content:remove(1)
  if strong.content[1] and strong.content[1].t == 'Space' then strong.content:remove(1) end
  if #strong.content == 0 then
    blocks[1].content:remove(1)
    if blocks[1].content[1] and blocks[1].content[1].t == 'Space' then
      blocks[1].content:remove(1)
    end
  end
end

-- Las tablas anchas reparten el ancho según lo que llevan
function anchors.column_lengths(tbl)
  local longest, words = {}, {}
  local function look(row)
    for i, cell in ipairs(row.cells or row[2]) do
      local text = pandoc.utils.stringify(pandoc.Pandoc(cell.contents or cell[5]))
      longest[i] = math.max(longest[i] or 1, utf8.len(text) or #text)
      for word in text:gmatch('%S+') do
        words[i] = math.max(words[i] or 1, utf8.len(word) or #word)
      end
    end
  end
  for _, row in ipairs(tbl.head.rows or tbl.head[2]) do look(row) end
  for _, body in ipairs(tbl.bodies) do
    for _, row in ipairs(body.body) do look(row) end
  end
  return longest, words
end

return anchors
