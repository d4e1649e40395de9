import { searchMutants } from './search-mutants.ts';

// Plants one change in each of many policies, and tells which of them the search finds:
//   tsx mutants.ts [MOST]

const searched = await searchMutants(Number(process.argv[2] ?? 1000));
for (const { isFound, kind, requests, expression, changed } of searched) {
  if (!isFound)
    console.log(`not found (${kind}, ${requests} requests): ${expression}\n    ${changed}`);
}
for (const kind of new Set(searched.map((each) => each.kind))) {
  const own = searched.filter((each) => each.kind === kind);
  console.log(`${kind}: ${own.filter(({ isFound }) => isFound).length} of ${own.length}`);
}
const found = searched.filter(({ isFound }) => isFound);
const slowest = Math.max(0, ...found.map(({ milliseconds }) => milliseconds));
const share = ((100 * found.length) / searched.length).toFixed(1);
console.log(
  `${found.length} of ${searched.length} (${share} %), the slowest in ${(slowest / 1000).toFixed(1)} s`,
);
