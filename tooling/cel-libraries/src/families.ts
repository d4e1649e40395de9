import type { Family } from './draw.ts';
import { formatFamily } from './families/format.ts';
import { listsFamily } from './families/lists.ts';
import { namedFormatsFamily } from './families/named-formats.ts';
import { networkFamily } from './families/network.ts';
import { numbersFamily } from './families/numbers.ts';
import { quantityFamily } from './families/quantity.ts';
import { regexFamily } from './families/regex.ts';
import { semverFamily } from './families/semver.ts';
import { stringsFamily } from './families/strings.ts';
import { timeFamily } from './families/time.ts';
import { urlFamily } from './families/url.ts';

/** Every family of cases, by the name of the file in which its cases are recorded. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  format: formatFamily,
  lists: listsFamily,
  'named-formats': namedFormatsFamily,
  network: networkFamily,
  numbers: numbersFamily,
  quantity: quantityFamily,
  regex: regexFamily,
  semver: semverFamily,
  strings: stringsFamily,
  time: timeFamily,
  url: urlFamily,
};
