// Values sealed with the host's secret: the check at start, and the rotation.
// May import: core/base, core/catalog, core/identity, core/operating/operator, core/resources; knex.
export { checkSecrets, isOwnSecret } from "./checkSecrets.ts";
export { rotateSecrets, type Rotation } from "./rotateSecrets.ts";
export { runSecretCommand, secretUsage } from "./runSecretCommand.ts";
export { countByKey, isRotating, readMarkKeys } from "./secretKeys.ts";
