/**
 * Protocol versions that a plugin record may name. The numbered versions are used by existing plugins; `manifold-1`
 * belongs to this project.
 */
export const protocolVersions = ["1.0.0", "1.1.0", "2.0.0", "3.0.0", "manifold-1"] as const;
/** A version of the plugin protocol. */
export type ProtocolVersion = (typeof protocolVersions)[number];
