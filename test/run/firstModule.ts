/**
 * Every process of the quick layer loads this first (`--import`), also hosts that a test starts: what one of them has
 * sealed, another opens. The deep layer hashes as the product does.
 */
import { useCheapHashes } from "./cheapHashes.ts";

useCheapHashes();
