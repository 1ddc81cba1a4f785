//! Service tags.

use crate::support::{bad, good, good_with, passes, table, with};
use gft::Direction;
use imports::{Content, Format, Options};

/// As Azure's list for download has them.
const TAGS: &str = r#"{ "changeNumber": 300, "cloud": "Public", "values": [
    { "name": "Storage.WestEurope", "id": "Storage.WestEurope", "properties": { "changeNumber": 5, "region": "westeurope", "regionId": 18,
      "platform": "Azure", "systemService": "AzureStorage", "addressPrefixes": ["20.1.0.0/16", "2603:1020::/32"], "networkFeatures": ["NSG"] } },
    { "name": "Sql", "id": "Sql", "properties": { "addressPrefixes": [] } } ] }"#;

#[test]
fn the_list_fills_the_options() {
    let imported = good(TAGS);
    assert_eq!(imported.format, Format::ServiceTags);
    assert!(imported.policies.is_empty());
    let Content::ServiceTags(tags) = imported.content else {
        panic!()
    };
    assert_eq!(tags["Storage.WestEurope"].len(), 2);
    assert!(tags["Sql"].is_empty());
    let options = Options {
        tags,
        ..Options::default()
    };
    let nsg = with(crate::nsg::FLAT, "\"Internet\"", "\"Storage.WestEurope\"");
    let policy = &good_with(&nsg, &options).policies[0].policy;
    assert!(passes(policy, "tcp 20.1.2.3 5 10.1.0.4 443", Direction::In));
    assert!(!passes(policy, "tcp 20.2.2.3 5 10.1.0.4 443", Direction::In));
}

#[test]
fn bad_lists() {
    let prefixes = "values[0].properties.addressPrefixes";
    let rows: [(&str, &str, String); 8] = [
        (
            "\"20.1.0.0/16\"",
            "\"20.1.0.0/61\"",
            format!(
                "{prefixes}[0]: \"20.1.0.0/61\" is not a prefix: after the slash stands a length of 0 to 32"
            ),
        ),
        (
            "\"20.1.0.0/16\"",
            "\"Sql\"",
            format!("{prefixes}[0]: \"Sql\" is not an IPv4 or IPv6 address such as 10.1.0.4 or fd00::4"),
        ),
        (
            "\"2603:1020::/32\"",
            "\"2603:1020::/129\"",
            format!(
                "{prefixes}[1]: \"2603:1020::/129\" is not a prefix: after the slash stands a length of 0 to 128"
            ),
        ),
        (
            "\"2603:1020::/32\"",
            "6",
            format!("{prefixes}[1]: 6, expected a prefix such as 20.0.0.0/8"),
        ),
        (
            "[\"20.1.0.0/16\", \"2603:1020::/32\"]",
            "\"20.1.0.0/16\"",
            format!("{prefixes}: \"20.1.0.0/16\", expected a list of prefixes"),
        ),
        (
            "\"addressPrefixes\": []",
            "\"prefixes\": []",
            "values[1].properties: there is no \"addressPrefixes\", expected the list of the tag's prefixes"
                .into(),
        ),
        (
            "\"name\": \"Sql\", ",
            "",
            "values[1].properties: the tag has no \"name\", expected one".into(),
        ),
        (
            "{ \"addressPrefixes\": [] }",
            "[]",
            "values[1].properties: a list of 0, expected the properties".into(),
        ),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
    table(TAGS, &rows);
    let other = with(TAGS, "{ \"name\": \"Sql\"", "7, { \"name\": \"Sql\"");
    assert_eq!(bad(&other), "values[1]: 7, expected an object");
    assert_eq!(
        bad(r#"{ "values": [ { "name": 1, "addressPrefixes": [] } ] }"#),
        "values[0].name: 1, expected a name"
    );
}
