-- SPDX-License-Identifier: MIT OR Apache-2.0
--
-- A Wireshark dissector for MRC, the Multipath Reliable Connection: what follows the base transport header (BTH) of RoCEv2
-- in packets with MRC's opcodes.
--
--     tshark -X lua_script:mrc.lua -r FILE.pcapng
--
-- It comes after Wireshark's own dissector of RoCEv2 (a post-dissector), whose fields stay as they are. It could call that one
-- instead, but in Wireshark 4.0 each packet that is cut short inside such a call costs Lua a bit of its stack, until it has
-- none left.
--
-- MRC's specification was not at hand. The layouts follow third-party code and notes that cite its tables; they are those of
-- Flowglass's crate `wire`, and a test compares the two field by field. Needs Wireshark 4.0 or later.

local mrc = Proto("mrc", "Multipath Reliable Connection")

local ICRC_LEN = 4
local PSNS = 0x1000000
local TICK_NS = 128

local OPCODES = {
    [0xc6] = "WRITE First",
    [0xc7] = "WRITE Middle",
    [0xc8] = "WRITE Last",
    [0xc9] = "WRITE Last with immediate",
    [0xca] = "WRITE Only",
    [0xcb] = "WRITE Only with immediate",
    [0xd1] = "ACK",
    [0xd8] = "ENDPOINT_REQUEST",
    [0xd9] = "ENDPOINT_RESPONSE",
    [0xdc] = "SACK",
    [0xdd] = "NACK",
    [0xde] = "PROBE_REQ",
}
-- 0x00 and 0x65 are Flowglass's choice.
local SYNDROMES = { [0x00] = "ACK_UP_TO", [0x1f] = "ACK", [0x65] = "NAK_TOO_MANY_WIMM" }
local MARKS = { [0] = "NONE", [1] = "SKIP_ONCE", [2] = "ALWAYS_SKIP" }
local REASONS = {
    [0x01] = "TRIMMED",
    [0x02] = "TRIMMED_LASTHOP",
    [0x06] = "NO_BITMAP",
    [0x07] = "NO_PKT_BUFFER",
    [0x0a] = "NO_RESOURCE",
    [0x0b] = "PSN_OOR_WINDOW",
    [0x19] = "UNEXP_EVENT",
}
local OPS = { [0] = "PORT_STATUS_UPDATE", [1] = "EV_PROBE" }

-- A header: its name, its length in bytes and its fields. A field: first bit, width in bits, name, meaning, and where wanted
-- how it is shown: "hex", "signed", "ticks" (units of 128 ns) or a table of names. Reserved bits have no field.
local HEADERS = {
    { "bth", 12, "Base Transport Header", {
        { 0, 8, "opcode", "Opcode", OPCODES },
        { 8, 1, "se", "Solicited event" },
        { 9, 1, "m", "Migration state" },
        { 10, 2, "pad", "Pad count" },
        { 12, 4, "tver", "Transport header version" },
        { 16, 16, "p_key", "Partition key", "hex" },
        { 40, 24, "dest_qp", "Destination QP", "hex" },
        { 64, 1, "a", "A: the requester wants a SACK now" },
        { 66, 1, "rtx", "RTX: retransmission" },
        { 67, 1, "ts", "TS: a TSETH follows the METH" },
        { 72, 24, "psn", "Packet sequence number" },
    } },
    { "meth", 4, "Message Extended Transport Header", {
        { 0, 16, "rqmsn", "Number among the messages that use a receive-queue entry" },
        { 16, 16, "msn", "Message sequence number" },
    } },
    { "tseth", 4, "Timestamp Extended Transport Header", {
        { 0, 16, "tx_timestamp", "Sender's clock", "ticks" },
        { 16, 1, "tsr", "TSR" },
        { 28, 4, "ftype", "Format" },
    } },
    { "reth", 16, "RDMA Extended Transport Header", {
        { 0, 64, "va", "Virtual address", "hex" },
        { 64, 32, "rkey", "Remote key", "hex" },
        { 96, 32, "dma_len", "DMA length" },
    } },
    { "immdt", 4, "Immediate Data", {
        { 0, 32, "data", "Immediate data", "hex" },
    } },
    { "aeth", 4, "ACK Extended Transport Header", {
        { 0, 8, "syndrome", "Syndrome", SYNDROMES },
        { 8, 24, "msn", "Message sequence number" },
    } },
    { "seth", 28, "Reliability SACK Header", {
        { 9, 2, "m", "M: mark for the echoed EV", MARKS },
        { 14, 1, "pr", "pr: answer to a probe request" },
        { 16, 16, "ack_psn_offset", "Distance from the cumulative PSN to the one that triggered this", "signed" },
        { 32, 32, "entropy", "EV of the packet that triggered this", "hex" },
        { 64, 16, "spdcid", "Source connection" },
        { 80, 16, "dpdcid", "Destination connection" },
        { 104, 24, "cack_psn", "Cumulative acknowledgement" },
        { 128, 4, "cc_type", "Format of the congestion control state" },
        { 132, 4, "cc_flags", "Flags of the congestion control state", "hex" },
        { 136, 8, "mpr", "Maximum PSN range, in units of 128 packets" },
        { 144, 16, "sack_offset", "Distance from the cumulative PSN to the bitmap's first", "signed" },
        { 160, 64, "sack_bitmap", "Bitmap of received packets, lowest PSN in the lowest bit", "hex" },
    } },
    { "cc_state", 8, "Congestion Control State", {
        { 0, 16, "tx_timestamp", "Timestamp, echoed", "ticks" },
        { 17, 15, "ooo_count", "Packets that arrived out of order" },
        { 32, 1, "r_c", "r_c: restore the congestion window" },
        { 33, 7, "rcv_cwnd_pen", "Receiver's penalty on the congestion window, in 1/128" },
        { 40, 24, "rcvd_bytes", "Received bytes, in units of 256" },
    } },
    { "neth", 20, "Reliability NACK Header", {
        { 16, 8, "nack_reason", "Reason", REASONS },
        { 24, 8, "vendor", "Vendor", "hex" },
        { 32, 32, "entropy", "EV of the packet that was refused", "hex" },
        { 64, 16, "spdcid", "Source connection" },
        { 80, 16, "dpdcid", "Destination connection" },
        { 104, 24, "nack_psn", "PSN of the packet that was refused" },
        { 128, 4, "cc_type", "Format of the congestion control state" },
        { 132, 4, "cc_flags", "Flags of the congestion control state", "hex" },
        { 144, 16, "tx_timestamp", "Timestamp, echoed", "ticks" },
    } },
    { "peth", 16, "Reliability Probe Request Header", {
        { 24, 8, "vendor", "Vendor", "hex" },
        { 32, 16, "probe_id", "Probe number" },
        { 64, 16, "spdcid", "Source connection" },
        { 80, 16, "dpdcid", "Destination connection" },
        { 96, 16, "tx_timestamp", "Sender's clock", "ticks" },
        { 112, 1, "tsr", "TSR" },
        { 124, 4, "ftype", "Format" },
    } },
    { "erth", 16, "Endpoint Request Header", {
        { 14, 2, "op", "Request", OPS },
        { 24, 8, "vendor", "Vendor", "hex" },
        { 32, 32, "port_status_mask", "Ports that are up, port 1 in bit 1", "hex" },
        { 96, 16, "tx_timestamp", "Sender's clock", "ticks" },
        { 112, 1, "tsr", "TSR" },
        { 124, 4, "ftype", "Format" },
    } },
    { "eeth", 36, "Endpoint Response Header", {
        { 10, 2, "op", "Request that is answered", OPS },
        { 224, 16, "tx_timestamp", "Timestamp, echoed", "ticks" },
    } },
}

-- What follows the BTH, by opcode; the headers of a WRITE depend on its TS bit too.
local BEHIND = {
    [0xd1] = { "aeth" },
    [0xd8] = { "erth" },
    [0xd9] = { "eeth" },
    [0xdc] = { "seth", "cc_state" },
    [0xdd] = { "neth" },
    [0xde] = { "peth" },
}

-- Fields that follow from others.
local computed = {
    ev = ProtoField.uint32("mrc.ev", "EV, from inner flow label and source port", base.HEX),
    trimmed = ProtoField.bool("mrc.trimmed", "Trimmed by a switch"),
    cut = ProtoField.bytes("mrc.cut", "What is left of the RETH after its last whole field"),
    payload_len = ProtoField.uint16("mrc.payload_len", "Payload length"),
    ack_psn = ProtoField.uint24("mrc.seth.ack_psn", "PSN that triggered this SACK"),
    bitmap_base = ProtoField.uint24("mrc.seth.bitmap_base", "PSN of the bitmap's first bit"),
}

local experts = {
    rtx = ProtoExpert.new("mrc.expert.rtx", "Retransmission", expert.group.SEQUENCE, expert.severity.NOTE),
    trimmed = ProtoExpert.new("mrc.expert.trimmed", "Trimmed by a switch", expert.group.SEQUENCE, expert.severity.NOTE),
    nack = ProtoExpert.new("mrc.expert.nack", "Packet refused", expert.group.SEQUENCE, expert.severity.NOTE),
    mark = ProtoExpert.new("mrc.expert.mark", "Path marked", expert.group.SEQUENCE, expert.severity.CHAT),
    nak = ProtoExpert.new("mrc.expert.nak", "Message refused", expert.group.SEQUENCE, expert.severity.WARN),
    short = ProtoExpert.new("mrc.expert.short", "Packet ends inside a header", expert.group.MALFORMED, expert.severity.ERROR),
}
mrc.experts = experts

-- The ProtoField of a field.
local function proto_field(header, field)
    local _, width, name, meaning, how = table.unpack(field)
    local abbreviation = "mrc." .. header .. "." .. name
    if width == 1 then
        return ProtoField.bool(abbreviation, meaning)
    elseif how == "signed" then
        return ProtoField.int16(abbreviation, meaning)
    end
    local make = width <= 8 and ProtoField.uint8
        or width <= 16 and ProtoField.uint16
        or width <= 24 and ProtoField.uint24
        or width <= 32 and ProtoField.uint32
        or ProtoField.uint64
    if type(how) == "table" then
        return make(abbreviation, meaning, base.HEX, how)
    end
    return make(abbreviation, meaning, how == "hex" and base.HEX or base.DEC)
end

local by_name = {}
local proto_fields = {}
for _, header in ipairs(HEADERS) do
    local name, len, title, fields = table.unpack(header)
    by_name[name] = { len = len, title = title, fields = fields, proto = {} }
    for _, field in ipairs(fields) do
        local made = proto_field(name, field)
        by_name[name].proto[field[3]] = made
        table.insert(proto_fields, made)
    end
end
for _, made in pairs(computed) do
    table.insert(proto_fields, made)
end
mrc.fields = proto_fields

-- What other dissectors found. Of several, in packets within packets, the last is the innermost.
local found_opcodes = Field.new("infiniband.bth.opcode")
local found_labels = Field.new("ipv6.flow")
local found_ports = Field.new("udp.srcport")
local found_lengths = Field.new("udp.length")
local UDP_LEN = 8

local function innermost(found)
    local all = { found() }
    return all[#all]
end

-- Adds one field of a header that begins at byte `at` of `tvb`. Returns its value (nil for 64 bits) and its item.
local function add_field(tree, tvb, at, header, field)
    local lo, width, name, _, how = table.unpack(field)
    local first = math.floor(lo / 8)
    local range = tvb(at + first, math.ceil((lo + width) / 8) - first)
    local proto = header.proto[name]
    if width == 64 then
        return nil, tree:add(proto, range)
    end
    local value = how == "signed" and range:int() or range:bitfield(lo - first * 8, width)
    local item = tree:add(proto, range, width == 1 and value == 1 or value)
    if how == "ticks" then
        item:append_text(string.format(" (%d ns)", value * TICK_NS))
    end
    return value, item
end

-- Adds as many whole fields of a header as there are bytes for up to offset `limit`. Returns their values and items by name,
-- the header's own item, and the offset where the next header begins; if this one is not whole, nil and where its last whole
-- field ends.
local function add_header(tree, tvb, at, limit, name)
    local header = by_name[name]
    local have = math.min(header.len, limit - at)
    if have <= 0 then
        return {}, {}, nil, nil, at
    end
    local branch = tree:add(mrc, tvb(at, have), header.title .. " (" .. name:upper() .. ")")
    local values, items, whole = {}, {}, 0
    for _, field in ipairs(header.fields) do
        local ends = math.ceil((field[1] + field[2]) / 8)
        if ends > have then
            break
        end
        values[field[3]], items[field[3]] = add_field(branch, tvb, at, header, field)
        whole = ends
    end
    if have < header.len then
        return values, items, branch, nil, at + whole
    end
    return values, items, branch, at + header.len
end

local function psn(value)
    return value % PSNS
end

-- A SACK: the PSNs that its offsets stand for.
local function explain_sack(items, values, branch)
    local trigger = psn(values.cack_psn + values.ack_psn_offset)
    branch:add(computed.ack_psn, trigger):set_generated()
    branch:add(computed.bitmap_base, psn(values.cack_psn + values.sack_offset)):set_generated()
    if values.m ~= 0 then
        items.m:add_proto_expert_info(experts.mark, MARKS[values.m] or "unknown mark")
    end
    local mark = values.m ~= 0 and " " .. (MARKS[values.m] or "?") or ""
    local answer = values.pr == 1 and " (probe)" or ""
    return string.format("CACK=%d for PSN=%d%s%s", values.cack_psn, trigger, mark, answer)
end

local function explain_nack(items, values)
    local reason = REASONS[values.nack_reason] or "unknown reason"
    items.nack_reason:add_proto_expert_info(experts.nack, reason)
    return string.format("%s PSN=%d", reason, values.nack_psn)
end

local function explain_ack(items, values)
    local syndrome = SYNDROMES[values.syndrome] or "unknown syndrome"
    -- Bits 6 and 5 tell a NAK (IBTA).
    if values.syndrome % 128 >= 96 then
        items.syndrome:add_proto_expert_info(experts.nak, syndrome)
    end
    return string.format("%s MSN=%d", syndrome, values.msn)
end

local function explain_endpoint(_, values)
    return OPS[values.op] or "unknown request"
end

local EXPLAIN = {
    seth = explain_sack,
    neth = explain_nack,
    aeth = explain_ack,
    erth = explain_endpoint,
    eeth = explain_endpoint,
}

-- The headers of a WRITE.
local function behind_write(bth)
    local headers = { "meth" }
    if bth.ts == 1 then
        table.insert(headers, "tseth")
    end
    table.insert(headers, "reth")
    if bth.opcode == 0xc9 or bth.opcode == 0xcb then
        table.insert(headers, "immdt")
    end
    return headers
end

local function total_len(headers)
    local sum = 0
    for _, name in ipairs(headers) do
        sum = sum + by_name[name].len
    end
    return sum
end

-- Adds the headers behind the BTH; the packet goes up to offset `ends`, its iCRC not counted. Returns what the packet list
-- should say.
local function add_headers(root, tvb, bth, at, ends, trimmed, headers)
    local said = {}
    local limit = math.min(ends, tvb:captured_len())
    for _, name in ipairs(headers) do
        local values, items, branch, next_at, rest = add_header(root, tvb, at, limit, name)
        if not next_at then
            -- Trimmed, or cut short by whoever captured it, or broken.
            if trimmed and branch and rest < limit then
                branch:add(computed.cut, tvb(rest, limit - rest))
            elseif not trimmed and limit == ends then
                root:add_proto_expert_info(experts.short)
            end
            return said
        end
        local explain = EXPLAIN[name]
        if explain then
            table.insert(said, explain(items, values, branch))
        end
        at = next_at
    end
    local payload = ends - at - bth.pad
    if BEHIND[bth.opcode] == nil and payload >= 0 then
        root:add(computed.payload_len, payload):set_generated()
        table.insert(said, string.format("%d bytes", payload))
    end
    return said
end

function mrc.dissector(tvb, pinfo, tree)
    local opcode = innermost(found_opcodes)
    local length = innermost(found_lengths)
    if not opcode or not length or not OPCODES[opcode.value] then
        return
    end
    local start = opcode.offset
    local ends = start + length.value - UDP_LEN
    local limit = math.min(ends, tvb:captured_len())
    if limit < start + by_name.bth.len then
        return
    end
    local root = tree:add(mrc, tvb(start, limit - start))
    local bth, items, _, at = add_header(root, tvb, start, limit, "bth")
    local headers = BEHIND[bth.opcode] or behind_write(bth)
    -- A trimmed packet ends inside its RETH, and has lost its iCRC.
    local trimmed = BEHIND[bth.opcode] == nil and ends < at + total_len(headers)
    if not trimmed then
        ends = ends - ICRC_LEN
    end

    local label, port = innermost(found_labels), innermost(found_ports)
    if label and port then
        local ev = label.value % 0x10000 * 0x10000 + port.value
        root:add(computed.ev, ev):set_generated()
    end
    if bth.rtx == 1 then
        items.rtx:add_proto_expert_info(experts.rtx)
    end
    if trimmed then
        local item = root:add(computed.trimmed, true)
        item:set_generated()
        item:add_proto_expert_info(experts.trimmed)
    end
    local said = add_headers(root, tvb, bth, at, ends, trimmed, headers)

    local flags = (bth.rtx == 1 and " [RTX]" or "") .. (trimmed and " [trimmed]" or "")
    local title = string.format("%s%s QP=0x%06x PSN=%d", OPCODES[bth.opcode], flags, bth.dest_qp, bth.psn)
    table.insert(said, 1, title)
    local info = table.concat(said, ", ")
    root:append_text(", " .. info)
    pinfo.cols.protocol:set("MRC")
    pinfo.cols.info:set(info)
end

register_postdissector(mrc)
