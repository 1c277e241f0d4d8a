import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import type { ParquetTarget } from "./parquetTarget.ts";
import { parquetPages, type PagesOptions, type ParquetPage } from "./parquetPages.ts";

/** Reads the values of a flat column in a row group, block by block. */
export interface ParquetCursor {
  /**
   * Returns the next `count` values. Missing values are null.
   * @throws {Error} if fewer values remain
   */
  read(count: number): readonly unknown[];
  /**
   * Writes the next `count` values to the rows from `row` on. Absent for nested columns.
   * @throws {Error} if fewer values remain
   */
  fill?(count: number, row: number, target: ParquetTarget): void;
}

/** Opens a flat column chunk. */
export function openParquetCursor(options: PagesOptions): ParquetCursor {
  const mostDefined = getMaxDefinitionLevel(options.decoder.schemaPath);
  const pages = parquetPages(options);
  let page: ParquetPage | undefined;
  let leftCount = 0;
  /** Returns the page of the next value. */
  const openPage = (): ParquetPage => {
    if (page && leftCount > 0) return page;
    const next = pages.next();
    if (next.done) throw new Error("a column has fewer values than its row group has rows");
    page = next.value;
    leftCount = page.valueCount;
    return page;
  };
  return {
    read(count) {
      const read: unknown[] = [];
      while (read.length < count) {
        const { definitions, values: present } = openPage();
        const size = Math.min(count - read.length, leftCount);
        const levels = definitions?.read(size);
        let presentCount = size;
        if (levels) {
          presentCount = 0;
          for (let index = 0; index < size; index++)
            if (levels[index] === mostDefined) presentCount++;
        }
        const values = present.read(presentCount);
        let next = 0;
        for (let index = 0; index < size; index++)
          read.push(!levels || levels[index] === mostDefined ? values[next++] : null);
        leftCount -= size;
      }
      return read;
    },
    fill(count, row, target) {
      for (let done = 0; done < count;) {
        const { definitions, values } = openPage();
        const size = Math.min(count - done, leftCount);
        const levels = definitions?.read(size);
        let presentCount = size;
        if (levels) {
          presentCount = 0;
          for (let index = 0; index < size; index++)
            presentCount += levels[index] = levels[index] === mostDefined ? 1 : 0;
        }
        target.write(values, presentCount, row + done);
        if (levels && presentCount < size) target.spread(levels, row + done);
        leftCount -= size;
        done += size;
      }
    },
  };
}

const checkedAtOnce = 65_536;

/**
 * Decodes all pages of a column chunk and discards the values. This ensures, before hyparquet assembles the chunk, that
 * the chunk does not declare more values than it contains.
 * @throws {Error} for a damaged page, or a page that declares too much
 */
export function checkParquetChunk(options: PagesOptions): void {
  const { schemaPath } = options.decoder;
  const mostDefined = getMaxDefinitionLevel(schemaPath);
  const mostRepeated = getMaxRepetitionLevel(schemaPath);
  for (const { valueCount, definitions, repetitions, values } of parquetPages(options)) {
    // Each entry may become a list at every nesting level.
    options.budget.take(8 * valueCount * schemaPath.length);
    for (let from = 0; from < valueCount; from += checkedAtOnce) {
      const size = Math.min(checkedAtOnce, valueCount - from);
      if (repetitions) checkLevels(repetitions.read(size), mostRepeated);
      const levels = definitions?.read(size);
      if (levels) checkLevels(levels, mostDefined);
      let presentCount = levels ? 0 : size;
      if (levels) for (const level of levels) if (level === mostDefined) presentCount++;
      values.read(presentCount);
    }
    repetitions?.checkEnd();
    definitions?.checkEnd();
    values.checkEnd?.();
  }
}

function checkLevels(levels: Int32Array, most: number): void {
  for (const level of levels)
    if (level > most)
      throw new Error(`a page has the level ${level}, above the maximum of ${most}`);
}
