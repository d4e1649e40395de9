import { searchEquals, searchMutants } from './search-mutants.ts';

// Plants one change in each of many policies, and prints which of them the search finds within ten seconds of processor
// time; and searches between policies that are equal, only written otherwise:
//   tsx mutants.ts [MOST]

const mostMilliseconds = 10_000;
const most = Number(process.argv[2] ?? 1000);
const searched = (await searchMutants(most)).map((each) => ({
  ...each,
  isFound: each.differs && each.milliseconds <= mostMilliseconds,
}));
for (const { isFound, kind, requests, milliseconds, expression, changed } of searched) {
  if (isFound) continue;
  console.log(`not found (${kind}, ${requests} requests, ${seconds(milliseconds)}): ${expression}`);
  console.log(`    ${changed}`);
}
for (const kind of new Set(searched.map((each) => each.kind))) {
  const own = searched.filter((each) => each.kind === kind);
  console.log(`${kind}: ${own.filter(({ isFound }) => isFound).length} of ${own.length}`);
}
const found = searched.filter(({ isFound }) => isFound);
const slowest = Math.max(0, ...found.map(({ milliseconds }) => milliseconds));
const share = ((100 * found.length) / searched.length).toFixed(1);
console.log(
  `${found.length} of ${searched.length} (${share} %), the slowest in ${seconds(slowest)}`,
);
const equals = await searchEquals(most);
for (const { differs, expression, changed } of equals) {
  if (differs) console.log(`different: ${expression}\n    ${changed}`);
}
const requests = equals.reduce((sum, each) => sum + each.requests, 0);
console.log(
  `${equals.length} equal pairs, ${requests} requests: ${equals.filter(({ differs }) => differs).length} with a difference`,
);

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
