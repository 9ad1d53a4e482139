import { type RedisScript, script } from "./redis-connection.js";

// A script is not a transaction: it can stop in the middle, for example when the disk is full. So everything that is
// written before the head has no effect without it, and the head changes in one command at the end.
//
// Fields of a head: v version, e epoch, p pools, o own pool, s state, b version of the state, ne and nt numbers of
// records, r recent commits, z size, c created, u updated, w owner of the lease, l end of the lease, k keys, and
// n<g>:<name> for each entry, whose value begins with 1, or is 0 for a deleted entry. The field g, which is missing at
// first, increases when all entries are deleted: so any number of them disappears in one command. A delta has the field
// <version>.<number>.

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

const READ = `
local function read(now)
  local f = redis.call('HMGET', KEYS[1], 'v', 'e', 'p', 's', 'b', 'ne', 'nt', 'r', 'z', 'c', 'u', 'l', 'k')
  if not f[1] then return false end
  f[12] = math.max(0, (tonumber(f[12]) or 0) - now)
  return {f, redis.call('HGETALL', KEYS[2])}
end`;

/** KEYS: head, deltas. */
export const LOAD = script(`${NOW}${READ}
return read(now)`);

/** KEYS: head, deltas. ARGV: owner, lease, force, create, pools, pool, keys. */
export const CLAIM = script(`${NOW}${READ}
local f = redis.call('HMGET', KEYS[1], 'e', 'w', 'l')
if not f[1] then
  if ARGV[4] ~= '1' then return {'absent'} end
  redis.call('HSET', KEYS[1], 'v', 0, 'e', 1, 'p', ARGV[5], 'o', ARGV[6], 'b', 0, 'ne', 0, 'nt', 0, 'r', '', 'z', 0,
    'c', now, 'u', now, 'w', ARGV[1], 'l', now + ARGV[2], 'k', ARGV[7])
else
  local left = (tonumber(f[3]) or 0) - now
  if left > 0 and f[2] ~= ARGV[1] and ARGV[3] ~= '1' then return {'busy', left} end
  redis.call('HSET', KEYS[1], 'e', f[1] + 1, 'w', ARGV[1], 'l', now + ARGV[2])
end
return {'claimed', read(now)}`);

/** KEYS: head, deltas. ARGV: pools, pool, keys, size, has state, state, deltas … */
export const CREATE = script(`${NOW}
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('DEL', KEYS[2])
for i = 7, #ARGV do redis.call('HSET', KEYS[2], '0.' .. (i - 7), ARGV[i]) end
local head = {'v', 0, 'e', 0, 'p', ARGV[1], 'o', ARGV[2], 'b', 0, 'ne', 0, 'nt', 0, 'r', '', 'z', ARGV[4],
  'c', now, 'u', now, 'w', '', 'l', 0, 'k', ARGV[3]}
if ARGV[5] == '1' then
  head[#head + 1] = 's'
  head[#head + 1] = ARGV[6]
end
redis.call('HSET', KEYS[1], unpack(head))
return 1`);

/**
 * KEYS: head, deltas, events, transcript, blobs. ARGV: version, epoch, pool, lease, recent, size, first event, first
 * transcript, then groups that begin with their length: state, deltas, events, transcript, clear, deleted entries, set
 * entries, blobs.
 */
export const COMMIT = script(`${NOW}
local f = redis.call('HMGET', KEYS[1], 'v', 'e', 'o', 'g')
if f[1] ~= ARGV[1] or f[2] ~= ARGV[2] or f[3] ~= ARGV[3] then return 0 end
local at = 9
local function group()
  local first, count = at + 1, tonumber(ARGV[at])
  at = at + count + 1
  return first, count
end
local version = ARGV[1] + 1
local head = {'v', version, 'r', ARGV[5], 'z', ARGV[6], 'u', now, 'l', now + ARGV[4]}
local function set(name, value)
  head[#head + 1] = name
  head[#head + 1] = value
end
local first, count = group()
local replaces = count == 1
if replaces then
  set('s', ARGV[first])
  set('b', version)
end
first, count = group()
for i = 0, count - 1 do redis.call('HSET', KEYS[2], version .. '.' .. i, ARGV[first + i]) end
first, count = group()
for i = 0, count - 1 do redis.call('HSET', KEYS[3], ARGV[7] + i, ARGV[first + i]) end
if count > 0 then set('ne', ARGV[7] + count - 1) end
first, count = group()
for i = 0, count - 1 do redis.call('HSET', KEYS[4], ARGV[8] + i, ARGV[first + i]) end
if count > 0 then set('nt', ARGV[8] + count - 1) end
local gone, prefix = {}, 'n' .. (f[4] or '') .. ':'
first, count = group()
local clears = count == 1
if clears then
  local generation = (tonumber(f[4]) or 0) + 1
  set('g', generation)
  prefix = 'n' .. generation .. ':'
end
first, count = group()
for i = first, first + count - 1 do gone[prefix .. ARGV[i]] = true end
first, count = group()
for i = first, first + count - 1, 2 do
  gone[prefix .. ARGV[i]] = nil
  set(prefix .. ARGV[i], '1' .. ARGV[i + 1])
end
for name in pairs(gone) do set(name, '0') end
first, count = group()
for i = first, first + count - 1, 2 do redis.call('HSETNX', KEYS[5], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[1], unpack(head))
for name in pairs(gone) do redis.call('HDEL', KEYS[1], name) end
if clears then
  for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.match(name, '^n%d*:') and string.sub(name, 1, #prefix) ~= prefix then
      redis.call('HDEL', KEYS[1], name)
    end
  end
end
if replaces then
  for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
    if tonumber(string.match(field, '^%d+')) < version then redis.call('HDEL', KEYS[2], field) end
  end
end
return 1`);

/** KEYS: head. ARGV: epoch, lease. */
export const RENEW = script(`${NOW}
if redis.call('HGET', KEYS[1], 'e') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'l', tonumber(ARGV[2]) == 0 and 0 or now + ARGV[2])
return 1`);

/** KEYS: records. ARGV: after, bytes. */
export const RECORDS = script(`
local page, size, n = {}, 0, ARGV[1] + 1
while size < tonumber(ARGV[2]) and #page < 10000 do
  local bytes = redis.call('HGET', KEYS[1], n)
  if not bytes then break end
  page[#page + 1] = bytes
  size = size + #bytes
  n = n + 1
end
return page`);

/** KEYS: head. ARGV: expected, keys. */
export const SWAP_KEYS = script(`
if redis.call('HGET', KEYS[1], 'k') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'k', ARGV[2])
return 1`);

/** KEYS: head, blobs. ARGV: epoch, ids … */
export const DELETE_BLOBS = script(`
if redis.call('HGET', KEYS[1], 'e') ~= ARGV[1] then return 0 end
for i = 2, #ARGV do redis.call('HDEL', KEYS[2], ARGV[i]) end
return 1`);

export const ALL_SCRIPTS: readonly RedisScript[] = [
  ...[LOAD, CLAIM, CREATE, COMMIT, RENEW, RECORDS, SWAP_KEYS, DELETE_BLOBS],
];
