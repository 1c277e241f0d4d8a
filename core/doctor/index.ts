// The command that checks a host and everything it needs.
// May import: core/catalog, core/config, core/connections, core/errors, core/json, core/operator, core/secrets; knex,
// nodemailer, typebox.
export { doctorUsage, runDoctor } from "./runDoctor.ts";
