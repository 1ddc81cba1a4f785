//! What a VM, an entry of the traffic, and an event of a host have for fields, kind by kind.

use super::fields::{Field, FieldInput, Kind, YES_NO, needed, optional};
use serde_json::{Map, Value, json};

const FROM: Field = optional(
    "from",
    "from",
    FieldInput::Choice(&[("vm", "the VM"), ("peer", "a peer")]),
    "vm",
    "Who sends, or opens.",
);
const VM: Field = needed("vm", "VM", FieldInput::Number, "Which VM, from 0.");
const PER_SECOND: Field = needed(
    "per_second",
    "per second",
    FieldInput::Number,
    "How many a second, above 0 and up to 10\u{202f}000\u{202f}000.",
);
const START: Field = optional(
    "start",
    "start",
    FieldInput::Time,
    "0",
    "When it begins, such as 10ms; before the run's end.",
);
const STOP: Field = optional(
    "stop",
    "stop",
    FieldInput::Time,
    "",
    "Nothing new begins from here on; the run's end where left out.",
);

pub(super) const VMS: &[Kind] = &[Kind {
    name: "vm",
    label: "VM",
    help: "A VM with one vNIC.",
    can_be_added: true,
    fields: &[
        optional("name", "name", FieldInput::Name, "", "For people."),
        optional(
            "path",
            "path",
            FieldInput::Choice(&[
                ("vf", "VF below NetVSC"),
                ("synthetic", "NetVSC alone"),
                ("dpdk_failsafe", "DPDK failsafe"),
                ("dpdk_netvsc", "DPDK netvsc"),
                ("dpdk_vf_only", "DPDK on the VF alone"),
            ]),
            "vf",
            "What the guest has. NetVSC alone: every packet crosses the vSwitch. A driver on the VF alone never sees what comes by the \
             synthetic path.",
        ),
        optional(
            "rate",
            "rate",
            FieldInput::Name,
            "",
            "What its vNIC may send, counted in IP bytes, 1 Mb/s to 3.2 Tb/s. Published: 32 Gb/s where left out.",
        ),
        optional(
            "tx_ring",
            "transmit ring",
            FieldInput::Number,
            "1024",
            "Packets, 1 to 65\u{202f}536. Of UDP that comes faster than the rate more are lost; TCP and RDMA wait. Documented (Linux, mlx5): \
             1\u{202f}024.",
        ),
        optional(
            "policy.filler_rules",
            "filler rules",
            FieldInput::Number,
            "100",
            "Rules before its own that match nothing that is sent, 0 to 10\u{202f}000. Our choice: 100.",
        ),
        optional(
            "policy.classifier",
            "classifier",
            FieldInput::Choice(&[("auto", "by condition"), ("list", "list")]),
            "auto",
            "How rules are looked for: by what a group's conditions are, or one after the other.",
        ),
        optional(
            "policy.meter",
            "metering layer",
            YES_NO,
            "true",
            "Whether there is one. Published as a layer.",
        ),
        optional(
            "policy.vnet",
            "VNET layers",
            YES_NO,
            "true",
            "Whether packets to other VMs are encapsulated (VXLAN). Published as layers.",
        ),
        optional(
            "policy.snat.ports",
            "SNAT ports",
            FieldInput::Number,
            "",
            "Ports of the shared address for what leaves the VNET, 8 to 64\u{202f}000 in blocks of 8; no source NAT where left out. \
             Documented: 1\u{202f}024.",
        ),
        optional(
            "limits.total",
            "flows at most",
            FieldInput::Number,
            "1000000",
            "2 to 4\u{202f}000\u{202f}000; a conversation counts as two. Documented (Azure): 1\u{202f}000\u{202f}000.",
        ),
        optional(
            "limits.half_open",
            "half-open at most",
            FieldInput::Number,
            "",
            "Half-open TCP flows, 1 to 4\u{202f}000\u{202f}000; as many as all where left out (our choice).",
        ),
        optional(
            "limits.exceptions_per_second",
            "exceptions per second",
            FieldInput::Number,
            "",
            "What the NIC passes on, above 0 and up to 10\u{202f}000\u{202f}000; more are dropped (StormLimit). No limit where left out (our choice).",
        ),
        optional(
            "policy.nsg",
            "NSG rules",
            FieldInput::InText,
            "all is allowed",
            "Rules of its security group, before Azure's default rules; in the text.",
        ),
    ],
}];

pub(super) const HOST_TRAFFIC: &[Kind] = &[
    Kind {
        name: "ping",
        label: "Pings",
        help: "Small TCP messages to and fro, each after the answer to the one before.",
        can_be_added: true,
        fields: &[
            VM,
            needed(
                "count",
                "count",
                FieldInput::Number,
                "How many, 1 to 10\u{202f}000\u{202f}000.",
            ),
            optional(
                "bytes",
                "bytes",
                FieldInput::Number,
                "4",
                "Payload of each, 1 to 1\u{202f}460 bytes. Published: 4.",
            ),
            optional(
                "pause",
                "pause",
                FieldInput::Time,
                "0",
                "Pause after each answer.",
            ),
            START,
        ],
    },
    Kind {
        name: "stream",
        label: "Bulk data",
        help: "Bulk data over TCP with CUBIC.",
        can_be_added: true,
        fields: &[
            VM,
            optional(
                "connections",
                "connections",
                FieldInput::Number,
                "1",
                "1 to 1\u{202f}000.",
            ),
            FROM,
            optional(
                "bytes",
                "bytes",
                FieldInput::Bytes,
                "",
                "Of each connection, such as 10MB; without end where left out.",
            ),
            START,
        ],
    },
    Kind {
        name: "connections",
        label: "Short connections",
        help: "TCP connections at a rate, opened at random times; without data six packets each (documented: DASH).",
        can_be_added: true,
        fields: &[
            VM,
            PER_SECOND,
            FROM,
            optional(
                "request",
                "request",
                FieldInput::Number,
                "0",
                "Bytes that the client asks with; 0: no data at all.",
            ),
            optional(
                "response",
                "response",
                FieldInput::Number,
                "0",
                "Bytes of the answer.",
            ),
            optional(
                "hold",
                "hold",
                FieldInput::Time,
                "0",
                "How long the client waits before it closes.",
            ),
            optional(
                "peers",
                "peers",
                FieldInput::Number,
                "1",
                "Different addresses that they take in turn, 1 to 32\u{202f}768, outside of the VNET to 65\u{202f}536.",
            ),
            optional(
                "internet",
                "outside of the VNET",
                YES_NO,
                "false",
                "Source NAT applies then, if the VM has it.",
            ),
            START,
            STOP,
        ],
    },
    Kind {
        name: "syn_flood",
        label: "SYN flood",
        help: "SYNs from sources that never answer.",
        can_be_added: true,
        fields: &[
            VM,
            PER_SECOND,
            needed(
                "sources",
                "sources",
                FieldInput::Number,
                "Different source addresses, 1 to 16\u{202f}777\u{202f}216; ports are random.",
            ),
            START,
            STOP,
        ],
    },
    Kind {
        name: "flows",
        label: "UDP flows",
        help: "UDP packets of many flows at a rate in all. Which flow has the next packet is drawn.",
        can_be_added: true,
        fields: &[
            VM,
            needed(
                "flows",
                "flows",
                FieldInput::Number,
                "At a time, 1 to 2\u{202f}000\u{202f}000, and 4\u{202f}000\u{202f}000 of all traffic together.",
            ),
            needed(
                "per_second",
                "packets per second",
                FieldInput::Number,
                "Of all together, above 0 and up to 100\u{202f}000\u{202f}000; evenly spaced.",
            ),
            optional(
                "bytes",
                "bytes",
                FieldInput::Number,
                "64",
                "IP bytes of a packet, 28 to 9\u{202f}000.",
            ),
            optional(
                "skew",
                "skew",
                FieldInput::Number,
                "0",
                "Exponent of Zipf's law by which flows are drawn, 0 (all alike) to 3.",
            ),
            FROM,
            optional(
                "lifetime",
                "lifetime",
                FieldInput::Time,
                "",
                "Each flow makes way for a new one after this time on average; never where left out.",
            ),
            optional(
                "warm",
                "known before",
                YES_NO,
                "false",
                "All flows are known to VFP and the NIC when the run begins.",
            ),
            START,
            STOP,
        ],
    },
    Kind {
        name: "rdma",
        label: "RDMA",
        help: "Messages on one QP, one after the other. When the VF goes, the QP is closed, and the application goes on with TCP.",
        can_be_added: true,
        fields: &[
            VM,
            needed(
                "bytes",
                "message size",
                FieldInput::Bytes,
                "Bytes of a message, 1 B to 1 GiB.",
            ),
            optional(
                "fallback",
                "fallback",
                FieldInput::Time,
                "1 s",
                "How long the application takes to open a TCP connection instead. Our choice: 1 s.",
            ),
            START,
        ],
    },
    Kind {
        name: "attack",
        label: "Attack",
        help: "A VM tries what it should not be able to do. What comes of it is counted by what stopped it.",
        can_be_added: true,
        fields: &[
            needed(
                "vm",
                "VM",
                FieldInput::Number,
                "The attacker, from 0; of a foreign tenant from the wire, the victim.",
            ),
            needed(
                "attempt",
                "attempt",
                FieldInput::Choice(&[
                    ("encapsulation", "own encapsulation"),
                    ("source_address", "another's address"),
                    ("source_mac", "another's MAC address"),
                    ("tenant_from_wire", "foreign tenant from the wire"),
                    ("dma", "DMA beyond its memory"),
                    ("cache_timing", "timing the shared cache"),
                ]),
                "What it tries.",
            ),
            optional(
                "victim",
                "victim",
                FieldInput::Number,
                "",
                "Another VM: whose address it takes, or whom it watches. The other attempts have none.",
            ),
            PER_SECOND,
            START,
            STOP,
        ],
    },
    Kind {
        name: "replay",
        label: "Recorded flows",
        help: "Flows as they were recorded, played as UDP packets at an even pace.",
        can_be_added: false,
        fields: &[
            VM,
            needed("flows", "flows", FieldInput::InText, "One line of the text each."),
        ],
    },
];

const AT: Field = needed(
    "at",
    "at",
    FieldInput::Time,
    "When the host signals it, such as 120ms.",
);
const AWAY: Field = needed(
    "duration",
    "away for",
    FieldInput::Time,
    "From the removal of the VF to its return, 1 ms to 1\u{202f}000 s. Documented: typically 30 s.",
);

pub(super) const EVENTS: &[Kind] = &[
    Kind {
        name: "policy_change",
        label: "Policy changes",
        help: "The VM's ACLs are replaced, with more rules if wanted; every flow is reconciled with its next packet.",
        can_be_added: true,
        fields: &[
            AT,
            VM,
            optional(
                "add",
                "rules added",
                FieldInput::InText,
                "none: an equal policy",
                "Rules besides the old ones; in the text.",
            ),
        ],
    },
    Kind {
        name: "vf_revoke",
        label: "VF away",
        help: "The VF of one VM, or of all, is taken away and comes back.",
        can_be_added: true,
        fields: &[
            AT,
            optional(
                "vm",
                "VM",
                FieldInput::Number,
                "",
                "Which VM, from 0; all where left out.",
            ),
            AWAY,
        ],
    },
    Kind {
        name: "fpga_reconfig",
        label: "FPGA loaded",
        help: "All VFs go, the FPGA is loaded anew with empty tables, all VFs come back.",
        can_be_added: true,
        fields: &[
            AT,
            AWAY,
            optional(
                "wire_outage",
                "wire dead for",
                FieldInput::Time,
                "0",
                "How long of it the wire is dead as well. Our choice: 0.",
            ),
        ],
    },
    Kind {
        name: "driver_update",
        label: "Driver replaced",
        help: "All VFs go, the host's NIC driver is replaced, all VFs come back.",
        can_be_added: true,
        fields: &[AT, AWAY],
    },
    Kind {
        name: "migrate",
        label: "VM migrates",
        help: "The VM stands still and goes on, on another host, with its flow state or without.",
        can_be_added: true,
        fields: &[
            AT,
            VM,
            optional(
                "blackout",
                "stands still for",
                FieldInput::Time,
                "200 ms",
                "0 to 100 s. Our choice: 200 ms.",
            ),
            optional(
                "carry_state",
                "with its flow state",
                YES_NO,
                "true",
                "Whether VFP's flow state goes with it. Documented as a function of VFP.",
            ),
        ],
    },
    Kind {
        name: "vf_storm",
        label: "VF storm",
        help: "The VF goes and comes back again and again. Documented: 900 times in an hour.",
        can_be_added: true,
        fields: &[
            AT,
            VM,
            needed(
                "count",
                "times",
                FieldInput::Number,
                "How often, 1 to 10\u{202f}000.",
            ),
            needed(
                "period",
                "one every",
                FieldInput::Time,
                "Time from one to the next, 1 ms to 1\u{202f}000 s, above how long it is away.",
            ),
            AWAY,
        ],
    },
];

/// A new element of a kind, with what it needs. `at` is the time of an event, as a scenario has it.
pub(super) fn fresh(kind: &Kind, at: &str) -> Value {
    let mut fields = Map::new();
    if kind.name != "vm" {
        fields.insert("kind".into(), kind.name.into());
    }
    for field in kind.fields.iter().filter(|field| field.default.is_none()) {
        let value = match field.name {
            "at" => json!(at),
            "vm" => json!(0),
            "count" if kind.name == "vf_storm" => json!(5),
            "count" | "flows" | "sources" => json!(1_000),
            "per_second" => json!(1_000),
            "bytes" => json!("64KiB"),
            "duration" => json!("10ms"),
            "period" => json!("20ms"),
            _ => match field.input {
                FieldInput::Choice(list) => json!(list[0].0),
                _ => Value::Null,
            },
        };
        fields.insert(field.name.into(), value);
    }
    Value::Object(fields)
}
