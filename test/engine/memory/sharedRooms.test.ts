import assert from "node:assert/strict";
import { SharedRooms } from "../../../engine/memory/sharedRooms.ts";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("engine/memory/sharedRooms", (test) => {
  test("gives a room to one at a time, never a smaller one than is asked for, and keeps at most 64 MiB in 32 rooms", () => {
    const random = createRandom(Number(process.env["SEED"] ?? 20261202));
    const rooms = new SharedRooms();
    const held = new Set<SharedArrayBuffer>();
    let again = 0;
    const known = new WeakSet<SharedArrayBuffer>();
    for (let step = 0; step < 2_000; step++) {
      if (held.size > 0 && random.chance(0.5)) {
        const room = random.pick([...held]);
        held.delete(room);
        rooms.give(room);
      } else {
        const sizeBytes = random.below(random.pick([100, 10_000, 2 ** 21]));
        const room = rooms.take(sizeBytes);
        assert.ok(room.byteLength >= sizeBytes);
        assert.ok(!held.has(room));
        if (known.has(room)) again++;
        known.add(room);
        held.add(room);
      }
    }
    assert.ok(again > 200, `${again} were used again`);
    for (const room of held) rooms.give(room);
    let count = 0;
    let keptBytes = 0;
    for (let room = rooms.find(0); room; room = rooms.find(0)) count++;
    for (let sizeBytes = 2 ** 16; sizeBytes < 2 ** 23; sizeBytes *= 2)
      for (let room = rooms.find(sizeBytes); room; room = rooms.find(sizeBytes)) {
        count++;
        keptBytes += room.byteLength;
      }
    assert.ok(count <= 32 && keptBytes <= 2 ** 26);
  });

  test("gives no room that is eight times as large as what is asked for, but for small ones", () => {
    const rooms = new SharedRooms();
    rooms.give(new SharedArrayBuffer(2 ** 22));
    assert.equal(rooms.find(2 ** 18), undefined);
    assert.equal(rooms.find(2 ** 19)?.byteLength, 2 ** 22);
    rooms.give(new SharedArrayBuffer(2 ** 19));
    assert.equal(rooms.find(1)?.byteLength, 2 ** 19);
    assert.equal(rooms.find(1), undefined);
  });

  test("lets the rooms go that were free longest", () => {
    const rooms = new SharedRooms();
    for (let sizeBytes = 1; sizeBytes <= 40; sizeBytes++)
      rooms.give(new SharedArrayBuffer(sizeBytes));
    assert.equal(rooms.find(1)?.byteLength, 9);
  });
});
