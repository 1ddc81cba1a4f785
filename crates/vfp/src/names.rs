//! Layer and group names as Microsoft's own parser of VFP's output knows them (facts/accelnet.md, section 1.2).

/// Access control by the platform.
pub const FW_ADMIN_LAYER_ID: &str = "FW_ADMIN_LAYER_ID";
/// Access control by the tenant: network security groups.
pub const FW_CONTROLLER_LAYER_ID: &str = "FW_CONTROLLER_LAYER_ID";
/// Metering of what goes out.
pub const VNET_METER_LAYER_OUT: &str = "VNET_METER_LAYER_OUT";
/// Rewriting of MAC addresses.
pub const VNET_MAC_REWRITE_LAYER: &str = "VNET_MAC_REWRITE_LAYER";
/// Encapsulation into the tenant's virtual network.
pub const VNET_ENCAP_LAYER: &str = "VNET_ENCAP_LAYER";
/// The next hop between provider addresses.
pub const VNET_PA_ROUTE_LAYER: &str = "VNET_PA_ROUTE_LAYER";
/// Redirection of a flow straight to its backend.
pub const VNET_DR_REDIRECTION_LAYER: &str = "VNET_DR_REDIRECTION_LAYER";
/// Load balancing and NAT between VIP and DIP.
pub const SLB_NAT_LAYER: &str = "SLB_NAT_LAYER";
/// Removal of the load balancer's encapsulation.
pub const SLB_DECAP_LAYER_STATEFUL: &str = "SLB_DECAP_LAYER_STATEFUL";
/// The gateway's next hop between provider addresses.
pub const GW_PA_ROUTE_LAYER: &str = "GW_PA_ROUTE_LAYER";
/// Inbound NAT group of [`SLB_NAT_LAYER`].
pub const SLB_GROUP_NAT_IPV4_IN: &str = "SLB_GROUP_NAT_IPv4_IN";
/// Outbound group of [`VNET_ENCAP_LAYER`].
pub const VNET_GROUP_ENCAP_IPV4_OUT: &str = "VNET_GROUP_ENCAP_IPV4_OUT";
/// The rule of [`SLB_NAT_LAYER`] that takes the rest.
pub const SLB_DEFAULT_RULE: &str = "SLB_DEFAULT_RULE";
