import * as assert from "uvu/assert";
import { freshRoom } from "../../../../engine/ingest/decode/columnBuffers.ts";
import { ReusedRoom } from "../../../../engine/ingest/decode/reusedBuffers.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261204);

function takeRandom(room: ReusedRoom, random: Random): Float64Array | Int32Array | Uint8Array {
  const count = random.below(random.pick([1, 10, 5_000, 400_000]));
  const array = random.pick([
    () => room.doubles(count),
    () => room.words(count),
    () => room.bytes(count),
  ])();
  if (array.length !== count) throw new Error(`${array.length} instead of ${count}`);
  return array;
}

suite("engine/ingest/decode/reusedBuffers", (test) => {
  test("arrays of one batch lie apart, however the room grows for them", () => {
    const random = createRandom(seed);
    const room = new ReusedRoom();
    for (let batch = 0; batch < 5; batch++) {
      const arrays = Array.from({ length: 60 }, () => takeRandom(room, random));
      arrays.forEach((array, index) => array.fill(index + 1));
      arrays.forEach((array, index) =>
        assert.ok(
          array.every((value) => value === index + 1),
          `array ${index} of batch ${batch}`,
        ),
      );
      room.clear();
    }
  });

  test("a batch as large as one before it lies in one buffer, which a third one uses again", () => {
    const room = new ReusedRoom();
    const take = () => Array.from({ length: 20 }, () => room.doubles(100_000).buffer);
    take();
    room.clear();
    const second = new Set(take());
    assert.is(second.size, 1);
    room.clear();
    assert.equal(new Set(take()), second);
  });

  test("more than 64 MB are not kept", () => {
    const room = new ReusedRoom();
    const large = room.bytes(2 ** 26 + 1).buffer;
    room.clear();
    assert.ok(room.bytes(10).buffer !== large);
    const kept = room.bytes(1000).buffer;
    room.clear();
    assert.ok(room.bytes(10).buffer === kept);
  });

  test("fresh arrays have buffers of their own", () => {
    const arrays = [freshRoom.doubles(3), freshRoom.words(3), freshRoom.bytes(3)];
    assert.equal(
      arrays.map(({ buffer }) => buffer.byteLength),
      [24, 12, 3],
    );
  });
});
