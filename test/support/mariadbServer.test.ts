import * as assert from "uvu/assert";
import { mariadbSuite, openMariadbDatabase } from "./mariadbDatabase.ts";
import { openMariadbServer } from "./mariadbServer.ts";

mariadbSuite("test/support/mariadbServer", (test) => {
  test.deep(
    "a killed MariaDB test server restarts on its port with its data, and has no time zone tables",
    async () => {
      const server = await openMariadbServer();
      try {
        const before = await openMariadbDatabase(server);
        await before.run("create table kept (a int)");
        await before.run("insert into kept values (1), (2)");
        await server.kill();
        await server.restart();
        const after = await openMariadbDatabase(server);
        assert.equal(await after.run(`select count(*) from ${before.database}.kept`), [["2"]]);
        const zone = "select convert_tz('2020-01-01', 'UTC', 'Europe/Paris')";
        assert.equal(await after.run(zone), [[null]]);
        await after.close();
      } finally {
        await server.close();
      }
    },
  );
});
