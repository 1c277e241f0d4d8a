import * as assert from "uvu/assert";
import { createJoinedHost, type JoinedDataset } from "../../../support/joinedHost.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

import { sales, groups, datasets, links, ref, eur, text, refusedBy } from "./joinedSales.ts";

suite("core/queries/join/refusedJoins", (test) => {
  test("joining datasets fails with the same 400 whether the link is missing or the caller may not use it", async () => {
    const query = { dimensions: [ref("P", "label")], measures: [eur] };
    const unlinked = await refusedBy(await createJoinedHost({ datasets, links: [] }), query);
    assert.match(unlinked, /^400 QUERY_NOT_JOINABLE .*no columns link P with S.*role Joins/);
    const linked = await createJoinedHost({ datasets, links });
    for (const hidden of ["product", "sku"])
      assert.is(
        await refusedBy(linked, query, embedOf({ hiddenColumns: new Set([hidden]) })),
        unlinked,
        hidden,
      );
    for (const link of [
      ["eur", "label"],
      ["product", "known"],
      ["product", "product"],
    ] as const)
      assert.is(
        await refusedBy(await createJoinedHost({ datasets, links: [link] }), query),
        unlinked,
        String(link),
      );
    const far = { dimensions: [ref("G", "code")], measures: [eur] };
    const noBridge = await refusedBy(linked, far, embedOf({ hiddenColumns: new Set(["group"]) }));
    assert.match(noBridge, /^400 QUERY_NOT_JOINABLE .*no columns link G with S/);
    await linked.records.change("securable", "P", { owner_id: "bob" });
    assert.is(await refusedBy(linked, far), noBridge);
    assert.match(await refusedBy(linked, query), /^404 RECORD_NOT_FOUND/);
  });

  test("a join with several possible paths fails with 400, and the error lists each path", async () => {
    const query = { dimensions: [ref("P", "label")], measures: [eur] };
    const twice = await createJoinedHost({
      datasets,
      links: [
        ["product", "sku"],
        ["product", "label"],
      ],
    });
    const message = await refusedBy(twice, query);
    assert.match(message, /^400 QUERY_NOT_JOINABLE .*several ways/);
    assert.match(message, /column sku .* = column product .*; column label .* = column product /);
    // A link declared by both of its columns counts once.
    const both = await createJoinedHost({
      datasets,
      links: [
        ["product", "sku"],
        ["sku", "product"],
      ],
    });
    assert.is((await both.sendQuery(query)).data.length, 2);
    const between = (id: string): JoinedDataset => ({
      id,
      columns: [
        { id: `${id}in`, type: "hierarchy" },
        { id: `${id}out`, type: "hierarchy" },
      ],
      rows: [["p1", "g1"]],
    });
    const diamond = await createJoinedHost({
      datasets: [sales, groups, between("L"), between("R")],
      links: [
        ["product", "Lin"],
        ["product", "Rin"],
        ["Lout", "code"],
        ["Rout", "code"],
      ],
    });
    const across = { dimensions: [ref("G", "tax")], measures: [eur] };
    assert.match(
      await refusedBy(diamond, across),
      /^400 QUERY_NOT_JOINABLE .*several ways lead to .*Lin.*; or .*Rin.*Use a column of the dataset through which the join should go/,
    );
    assert.equal(
      (await diamond.sendQuery({ ...across, dimensions: [ref("G", "tax"), ref("L", "Lin")] })).data,
      [
        [0.5, text("p1"), 30],
        [null, null, 600],
      ],
    );
    const circle = { ...across, dimensions: [ref("G", "tax"), ref("L", "Lin"), ref("R", "Rin")] };
    assert.match(
      await refusedBy(diamond, circle),
      /^400 QUERY_NOT_JOINABLE .*several ways join the datasets: /,
    );
  });

  test("a many-to-many join fails with 400", async () => {
    const stock: JoinedDataset = {
      id: "K",
      columns: [
        { id: "article", type: "hierarchy" },
        { id: "pieces", type: "numeric" },
      ],
      rows: [
        ["p1", 1],
        ["p1", 2],
      ],
    };
    const host = await createJoinedHost({
      datasets: [...datasets, stock],
      links: [...links, ["article", "sku"]],
    });
    assert.match(
      await refusedBy(host, { dimensions: [ref("K", "pieces")], measures: [eur] }),
      /^400 QUERY_NOT_JOINABLE .*several rows of each of K, S match the same row.*one query for each of K, S/,
    );
    const direct = await createJoinedHost({
      datasets: [sales, stock],
      links: [["product", "article"]],
    });
    assert.match(
      await refusedBy(direct, { measures: [eur, ref("K", "pieces")] }),
      /^400 QUERY_NOT_JOINABLE .*column product .* of dataset S and the column article .* of dataset K.*many to many/,
    );
  });

  test("a query fails if it names more than 20 datasets or uses an unknown dataset in an expression", async () => {
    const many = Array.from({ length: 21 }, (_, index): JoinedDataset => ({
      id: `N${index}`,
      columns: [{ id: `n${index}`, type: "numeric" }],
      rows: [[1]],
    }));
    const host = await createJoinedHost({ datasets: many, links: [] });
    const dimensions = many.map(({ id }, index) => ref(id, `n${index}`));
    assert.match(await refusedBy(host, { dimensions }), /^400 QUERY_NOT_JOINABLE .*at most 20/);
    for (const unknown of ["{N0:n0} + {Z:z}", "{N0:n0} + {N1:zz}"])
      assert.match(
        await refusedBy(await createJoinedHost({ datasets: many, links: [["n0", "n1"]] }), {
          dimensions: [{ expression: unknown }],
        }),
        /^400 MEMBER_INVALID .*dimensions\[0\]\.expression.*line 1, column 11/,
      );
  });

  test("the search for a chain of links between two datasets stops after 200 datasets", async () => {
    const chain = Array.from({ length: 202 }, (_, index): JoinedDataset => ({
      id: `N${index}`,
      columns: [{ id: `n${index}`, type: "numeric" }],
      rows: [[1]],
    }));
    const host = await createJoinedHost({
      datasets: chain,
      links: chain.slice(1).map((_, index) => [`n${index}`, `n${index + 1}`] as const),
    });
    const to = (index: number) => ({
      dimensions: [ref("N0", "n0"), ref(`N${index}`, `n${index}`)],
    });
    assert.equal((await host.sendQuery(to(12))).data, [[1, 1]]);
    assert.match(
      await refusedBy(host, to(201)),
      /^400 QUERY_NOT_JOINABLE .*no columns link N0 with N201/,
    );
  });
});
