//! The router and its actors.
//!
//! Decisions live in plain structs; actors only delegate to them. This room knows sockets, processes and timers, but
//! no argument, no environment, no configuration file and no terminal, and it prints nothing. It may use `codec` and
//! nothing of the command line: the compiler keeps that direction. Its first inhabitant is the router.
