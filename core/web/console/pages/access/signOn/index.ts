// Sign-on by providers of the organization: their configs, what claims decide, the test, and SCIM.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts;
// lit.
export { SignOnRoom } from "./signOnRoom.ts";
