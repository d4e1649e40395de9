import type { Family } from './libraries/draw.ts';
import { formatFamily } from './libraries/format.ts';
import { listsFamily } from './libraries/lists.ts';
import { namedFormatsFamily } from './libraries/named-formats.ts';
import { networkFamily } from './libraries/network.ts';
import { numbersFamily } from './libraries/numbers.ts';
import { quantityFamily } from './libraries/quantity.ts';
import { regexFamily } from './libraries/regex.ts';
import { semverFamily } from './libraries/semver.ts';
import { stringsFamily } from './libraries/strings.ts';
import { timeFamily } from './libraries/time.ts';
import { urlFamily } from './libraries/url.ts';

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
