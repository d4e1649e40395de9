import { convertCollection, plainNumbers } from './collection.ts';

// Converts a collection and prints a case of `lint` for each policy, for the oracle:
//   tsx lint-cases.ts FOLDER | oracle lint

const [folder = '.'] = process.argv.slice(2);
for (const { file, conversion } of await convertCollection(folder)) {
  const { objects } = conversion;
  if (objects.length === 0) continue;
  console.log(JSON.stringify({ id: file.slice(folder.length), resources: objects }, plainNumbers));
}
