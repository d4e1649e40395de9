import { resultCosts } from '@kubeadmit/convert';
import { loadSchemas } from '@kubeadmit/schemas';
import { convertCollection } from './collection.ts';

// Measures the costs of converted policies for large objects: tsx costs.ts FOLDER [SHARE].
// Prints the policies that use more than a share of a limit (default: a half), and their number.

const [folder = '.'] = process.argv.slice(2);
const schemas = await loadSchemas();
let count = 0;
let near = 0;
let over = 0;
for (const { file, conversion } of await convertCollection(folder, schemas)) {
  for (const cost of resultCosts(conversion.objects, { schemas })) {
    count++;
    if (!cost.isNear) continue;
    near++;
    if (cost.withinBytes !== undefined) over++;
    console.log(`${file.slice(folder.length + 1)} ${JSON.stringify(cost)}`);
  }
}
console.log(`${count} policies: ${near} near a limit, ${over} of them over it`);
