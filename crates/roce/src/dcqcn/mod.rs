//! DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015): the switch marks, the responder's
//! NIC tells (notification point, NP), the requester's NIC slows down and recovers (reaction point, RP).

mod config;
mod np;
mod rp;

pub use config::{Config, Rule, SHORTEST_PERIOD};
pub use np::NotificationPoint;
pub use rp::ReactionPoint;
