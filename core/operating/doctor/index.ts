// The command that checks a host and everything it needs.
// May import: core/base, core/catalog, core/operating/operator, core/operating/secrets, core/sources; knex, nodemailer,
// typebox.
export { doctorUsage, runDoctor } from "./runDoctor.ts";
