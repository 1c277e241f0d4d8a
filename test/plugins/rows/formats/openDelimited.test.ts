import { remediesIn } from "../../../../plugins/rows/correctableError.ts";
import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { readDelimited } from "./readDelimited.ts";

const typesOf = async (text: string, properties = {}) =>
  (await readDelimited(text, properties)).columns.map(({ type, subtype }) => subtype ?? type);

suite("plugins/rows/formats/openDelimited", (test) => {
  test("the separator is the one that divides the parsed records evenly", async () => {
    const cases: readonly (readonly [string, number])[] = [
      ["SKU (vacio, obligatorio);Nombre (100, obligatorio, o menos)\n1542;Corbata\n", 2],
      ['Field1;Field2;"Field,3,3,3"\na;b;c', 3],
      ["a;b\n1,5;2,5\n3,5;4,5\n", 2],
      ["a\tb\n1,2\t3\n", 2],
      ["a|b|c\n1|2|3\n", 3],
      ["sep=;\na;b\n1;2\n", 2],
      ['a;b\n1;"x;y"\n2;"p,q"\n', 2],
      ["only\none\n", 1],
    ];
    for (const [text, width] of cases)
      assert.is((await readDelimited(text)).columns.length, width, text);
    assert.is((await readDelimited("a^b\n1^2\n", { separator: "^" })).columns.length, 2);
    assert.equal((await readDelimited("a\u00a6b\n1\u00a62\n", { separator: "\u00a6" })).cells, [
      [1, 2],
    ]);
  });

  test("an unclosed quote does not swallow the rest of the file, whatever the separator", async () => {
    for (const separator of [",", ";", "\t", "|"]) {
      const text = 'id,note\n1,ok\n2,"5 inch\n3,ok\n4,ok\n'.replaceAll(",", separator);
      const failure = await readDelimited(text).then(String, String);
      assert.match(failure, "line 3 opens a quote that is not closed");
    }
  });

  test("notes and errors propose settings as data", async () => {
    const dates = await readDelimited("d,n\n1/2/2024,1\n3/4/2024,n/a\n5/6/2024,3\n7/8/2024,4\n");
    assert.equal(
      dates.remedies.filter(({ value }) => value !== undefined),
      [
        { setting: "dates", value: "DMY" },
        { setting: "dates", value: "MDY" },
        { setting: "nulls", value: ["n/a"] },
      ],
    );
    const undecided = await readDelimited("a,b;c\n1,2;3\n").catch(remediesIn);
    assert.equal(undecided, [
      { setting: "separator", value: "," },
      { setting: "separator", value: ";" },
    ]);
  });

  test("the forms of numbers are detected in each column", async () => {
    const cases: readonly (readonly [
      header: string,
      rows: readonly string[],
      cells: readonly unknown[],
    ])[] = [
      ["a,b", ['"13,525",x', '"1,234,567",y'], [13_525, 1_234_567]],
      ["a;b", ["1.234,56;x", "0,5;y"], [1234.56, 0.5]],
      ["a;b", ["5,58199E+12;x", "1,5;y"], [5.58199e12, 1.5]],
      ["a;b", ["$1,000.50;x", "$5;y"], [1000.5, 5]],
      ["a;b", ["1 000,5 \u20ac;x", "7 \u20ac;y"], [1000.5, 7]],
      ["a;b", ["12%;x", "29%;y"], [0.12, 0.29]],
      ["a;b", ["1'234.50;x", "7;y"], [1234.5, 7]],
      ["a;b", ["1\u202f000;x", "2 500;y"], [1000, 2500]],
      ["a;b", ["(100);x", "20;y"], [-100, 20]],
      ["a;b", [".097;x", "+3;y"], [0.097, 3]],
      ["a;b", ["(7,00)\u00a0€;x", "8,50 €;y"], [-7, 8.5]],
      ["a;b", ["100.00-;x", "20.50;y"], [-100, 20.5]],
      ["a;b", ["EUR 5;x", "EUR 1.234,5;y"], [5, 1234.5]],
      ["a;b", ["USD5.50;x", "USD6;y"], [5.5, 6]],
      ["a;b", ["CHF 1'234.50;x", "CHF 7.-;y"], [1234.5, 7]],
      ["a;b", ["1 234,56 kr;x", "-7 kr;y"], [1234.56, -7]],
      ["a;b", ["(12%);x", "5 %;y"], [-0.12, 0.05]],
      ["a;b", ["١٬٢٣٤٫٥;x", "٧;y"], [1234.5, 7]],
      ["a;b", ["१२;x", "७;y"], [12, 7]],
    ];
    for (const [header, rows, cells] of cases) {
      const read = await readDelimited([header, ...rows].join("\n"));
      assert.is(read.columns[0]!.type, "numeric", rows[0]);
      assert.equal(
        read.cells.map(([cell]) => cell),
        cells,
      );
    }
  });

  test("names that contain the code of a currency, and identifiers in any digits, stay text", async () => {
    const pairs = [
      "TOP10|TOP20",
      "EUR5|EUR6",
      "TOP 10|TOP 20",
      "RM 12|RM 14",
      "6 Ft|7 Ft",
      "R5|R6",
      "65+|18+",
      "٠١٢|٠١٣",
      "(030)|(040)",
      "1234567890123456-|1-",
      "€ 5|$ 5",
    ];
    for (const pair of pairs) {
      const rows = pair.split("|");
      const read = await readDelimited(["a;b", ...rows.map((row) => `${row};x`)].join("\n"));
      assert.is(read.columns[0]!.type, "hierarchy", rows.join());
      assert.is(read.cells[0]![0], rows[0]);
    }
  });

  test("a declared unit reads numbers whose unit is not detected", async () => {
    const columns = { a: { type: "number", unit: "TOP" } };
    const { cells } = await readDelimited("a;b\nTOP 10;x\nTOP 20;y\n", { columns });
    assert.equal(cells[1], [20, "y"]);
    for (const [unit, type] of [
      ["kg", "number"],
      ["€", "date"],
    ])
      await readDelimited("a\n1\n", { columns: { a: { type, unit } } }).then(
        () => assert.unreachable(),
        (failure: unknown) => assert.match(String(failure), /unit/),
      );
  });

  test("numbers whose comma may mean two things stay text until decimal is set", async () => {
    const text = "a;b\n1,234;x\n5,678;y\n";
    const { columns, notes } = await readDelimited(text);
    assert.is(columns[0]!.type, "hierarchy");
    assert.match(
      notes.join("\n"),
      '"a": it is text: the comma in its numbers may be a decimal sign or separate thousands (line 2, "1,234"); set decimal to comma or point',
    );
    assert.equal((await readDelimited(text, { decimal: "comma" })).cells[0], [1.234, "x"]);
    assert.equal((await readDelimited(text, { decimal: "point" })).cells[0], [1234, "x"]);
    const points = await readDelimited("a;b\n1.234;x\n");
    assert.is(points.cells[0]![0], 1.234);
    assert.match(points.notes.join("\n"), "if it separates thousands, set decimal to comma");
  });

  test("the order of dates is detected if exactly one order fits all values of a column", async () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ["1/2/2024\n1/25/2024 3:30 PM", "datetime", "2024-01-02T00:00:00.000Z"],
      ["1/2/2024\n25/1/2024", "date", "2024-02-01T00:00:00.000Z"],
      ["25.1.24\n1.2.24", "date", "2024-01-25T00:00:00.000Z"],
      ["2015/01/01\n2015/01/02", "date", "2015-01-01T00:00:00.000Z"],
      ['25-Jan-2024\n"Jan 26, 2024"', "date", "2024-01-25T00:00:00.000Z"],
      ["1/2/2024\n3/4/2024", "hierarchy", "1/2/2024"],
      ["1/25/2024\n25/1/2024", "hierarchy", "1/25/2024"],
      ["24-01-25\n24-01-26", "hierarchy", "24-01-25"],
    ];
    for (const [rows, type, first] of cases) {
      const read = await readDelimited(`d\n${rows}\n`);
      assert.is(
        read.columns[0]!.subtype ?? read.columns[0]!.type,
        type === "datetime" ? "datetime" : type,
        rows,
      );
      assert.is(read.cells[0]![0], first, rows);
      if (type !== "hierarchy") assert.match(read.notes.join("\n"), '"d": read as dates', rows);
      else
        assert.match(
          read.notes.join("\n"),
          /"d": it is text: .*set (?:dates|another order)|correct the source/,
          rows,
        );
    }
    assert.equal(await typesOf("d\n1/25/2024\n", { dates: "ISO" }), ["hierarchy"]);
    assert.equal(await typesOf("d\n1/2/2024\n", { dates: "MDY" }), ["date"]);
  });

  test("a note names the order of dates that only later rows of a large file show", async () => {
    const early = "1/2/2024\n".repeat(30_000);
    const { columns, notes } = await readDelimited(`d\n${early}25/1/2024\n`);
    assert.is(columns[0]!.type, "hierarchy");
    assert.match(
      notes.join("\n"),
      'the order of day and month in its dates is not known (line 2, "1/2/2024"); set dates to DMY, the only order that fits line 30002, "25/1/2024"',
    );
  });

  test("identifiers stay text, and the note counts them", async () => {
    const { columns, notes, cells } = await readDelimited(
      "zip,id\n01000,1234567890123456\n9000,1\n",
    );
    assert.equal(
      columns.map(({ type }) => type),
      ["hierarchy", "hierarchy"],
    );
    assert.equal(cells[0], ["01000", "1234567890123456"]);
    assert.match(notes.join("\n"), '1 of 2 values has a leading zero (line 2: "01000")');
    assert.match(notes.join("\n"), "1 of 2 values has more than 15 digits");
  });

  test("strings such as NA among numbers keep a column text, and the note says that nulls mends it", async () => {
    const text = "v\n1\nNA\n3\n-\n5\n6\n";
    const { notes, seen } = await readDelimited(text);
    assert.match(
      notes.join("\n"),
      '"v": it is text: 2 of 6 values are not a number (line 3: "NA", line 5: "-"); set nulls to NA,- to read them as null',
    );
    assert.equal(seen, [
      {
        valueCount: 6,
        nullCount: 0,
        form: "numbers",
        misfitCount: 2,
        misfits: [
          { place: "line 3", value: "NA" },
          { place: "line 5", value: "-" },
        ],
      },
    ]);
    const mended = await readDelimited(text, { nulls: "NA,-" });
    assert.equal(mended.cells.flat(), [1, null, 3, null, 5, 6]);
    assert.is(mended.seen[0]!.nullCount, 2);
  });

  test("a title above the header is named, and skip_rows skips it", async () => {
    const even = "Report,,\n,,\nYear,2000,2001\nBelgium,1,2\nFrance,3,4\n";
    assert.match(
      (await readDelimited(even)).notes.join("\n"),
      "line 3 looks like the header; set skip_rows to 2",
    );
    const read = await readDelimited(even, { skip_rows: 2 });
    assert.equal(read.cells, [
      ["Belgium", 1, 2],
      ["France", 3, 4],
    ]);
    const short = "Report\n\nYear,Q1,Q2\n2000,1,2\n2001,3,4\n";
    assert.match(
      await readDelimited(short).then(String, String),
      "its first row has 1 cell, but later rows have 3; line 3 looks like the header; set skip_rows to 2",
    );
    // The blank line counts, so both numbers skip to the same header.
    for (const skip_rows of [1, 2])
      assert.equal((await readDelimited(short, { skip_rows })).cells[0], [2000, 1, 2]);
    assert.match(
      (await readDelimited("2000,2001\n1,2\n")).notes.join("\n"),
      "all column names are numbers; if the first row contains values, set header to false",
    );
    assert.match(
      await readDelimited("a\n1\n", { skip_rows: 9 }).then(String, String),
      "no row after the 9 lines to skip; set skip_rows to a smaller number",
    );
  });

  test("a file is decoded in its declared encoding, and only Unicode is detected", async () => {
    const declared: readonly (readonly [string, readonly number[], string])[] = [
      ["windows-1252", [0x80, 0x93], "\u20ac\u201c"],
      ["latin1", [0xe9], "\u00e9"],
      ["iso-8859-2", [0xb1], "\u0105"],
      ["windows-1251", [0xcf, 0xf0], "\u041f\u0440"],
      ["shift_jis", [0x93, 0xfa], "\u65e5"],
      ["big5", [0xb4, 0xba], "\u666f"],
      ["gbk", [0xd6, 0xd0], "\u4e2d"],
    ];
    for (const [encoding, bytes, text] of declared) {
      const file = Buffer.from([...Buffer.from("a\n"), ...bytes, 10]);
      assert.equal((await readDelimited(file, { encoding })).cells, [[text]], encoding);
      assert.match(
        await readDelimited(file).then(String, String),
        /not valid utf-8 .*set encoding to the file's encoding, such as utf-16, windows-1252/,
      );
    }
    const utf16 = Buffer.from("a,b\r\n1,\u65e5\u672c\r\n", "utf16le");
    for (const file of [utf16, Buffer.from(utf16).swap16()]) {
      const read = await readDelimited(file);
      assert.equal(read.cells, [[1, "\u65e5\u672c"]]);
      assert.match(read.notes.join("\n"), /the encoding is utf-16[lb]e/);
    }
    assert.match(
      await readDelimited(Buffer.from([0x61, 10, 0xff, 0xff, 10]), { encoding: "shift_jis" }).then(
        String,
        String,
      ),
      "it is not valid shift_jis",
    );
  });

  test("declared durations, booleans, formats and time zones are read", async () => {
    const { columns, cells } = await readDelimited(
      "d,b,e,t,u\n1:30:00,TRUE,1704412800,31.12.23,2024-07-01 12:00\n0:05,no,0,1.1.69,2024-01-01 12:00\n",
      {
        time_zone: "Europe/Paris",
        columns: {
          d: "duration",
          b: "boolean",
          e: { type: "datetime", format: "epoch seconds" },
          t: { type: "date", format: "%d.%m.%y" },
        },
      },
    );
    assert.equal(
      columns.map(({ subtype }) => subtype),
      ["duration", undefined, undefined, "date", undefined],
    );
    assert.equal(cells, [
      [
        1.5,
        "true",
        "2024-01-05T00:00:00.000Z",
        "2023-12-31T00:00:00.000Z",
        "2024-07-01T10:00:00.000Z",
      ],
      [
        300 / 3600,
        "false",
        "1970-01-01T00:00:00.000Z",
        "1969-01-01T00:00:00.000Z",
        "2024-01-01T11:00:00.000Z",
      ],
    ]);
  });
});
