// Sign-on by providers of the organization: their configs, what claims decide, the test, and SCIM.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/parts; lit.
export { SignOnRoom } from "./signOnRoom.ts";
