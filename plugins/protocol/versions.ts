/**
 * Protocol versions that a plugin record may name. The numbered ones exist in the field; `manifold-1` is this
 * project's.
 */
export const protocolVersions = ["1.0.0", "1.1.0", "2.0.0", "3.0.0", "manifold-1"] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];
