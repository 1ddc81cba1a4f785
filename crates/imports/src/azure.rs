//! What Azure's portal, command line, REST interface and templates export.

pub mod balancer;
pub mod flow_log;
pub mod nsg;
pub mod service_tags;

mod balancing;
mod effective;
mod resource;
mod security;

pub(crate) use balancing::balancing;
pub(crate) use effective::read as read_effective;
pub(crate) use security::{choose, known_tag, security};

/// Fields of Azure's resources that say nothing about packets.
pub(crate) const IDLE: &[&str] = &[
    "id",
    "etag",
    "name",
    "type",
    "location",
    "tags",
    "kind",
    "zones",
    "apiVersion",
    "dependsOn",
    "comments",
    "metadata",
    "description",
    "provisioningState",
    "resourceGroup",
    "resourceGuid",
    "subscriptionId",
    "$schema",
    "contentVersion",
    "nextLink",
    // PowerShell repeats lists and identifiers as texts.
    "Tag",
    "TagsTable",
    "ResourceGroupName",
    "SubnetsText",
    "NetworkInterfacesText",
    "SecurityRulesText",
    "DefaultSecurityRulesText",
];
