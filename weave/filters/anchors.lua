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
