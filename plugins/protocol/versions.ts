/**
 * The protocol versions that a plugin record may name. Existing plugins use the numbered versions; `manifold-1` is the
 * version of this project.
 */
export const protocolVersions = ["1.0.0", "1.1.0", "2.0.0", "3.0.0", "manifold-1"] as const;
/** A version of the plugin protocol. */
export type ProtocolVersion = (typeof protocolVersions)[number];
