import { type JsonObject as JsonValue, printJson } from '@kubeadmit/conformance-tools';
import { Random } from '@kubeadmit/random';
import { authorizationCase } from './authorization.ts';
import { budgetCase } from './budgets.ts';
import { chainCase } from './chains.ts';
import { configurationCase } from './configurations.ts';
import { conversionCase } from './conversions.ts';
import { costsCase } from './costs.ts';
import { denseCase, denseMutationCase, versionsCase } from './dense.ts';
import { heldListsCase } from './held-lists.ts';
import type { JsonObject } from './json-object.ts';
import { lintCase, typesCase } from './lint.ts';
import { matchingCase } from './matching.ts';
import { mergeCase } from './merges.ts';
import { namespacesCase } from './namespaces.ts';
import { numbersCase } from './numbers.ts';
import { outcomeCase } from './outcomes.ts';
import { parametersCase } from './parameters.ts';
import { patchEdgesCase } from './patch-edges.ts';
import { clientCase, mutatingCases, validatingCases } from './policies.ts';
import { selectorsCase } from './selectors.ts';
import { subresourcesCase } from './subresources.ts';
import { variablesCase } from './variables.ts';

const USAGE = `usage: cases <kind> <count> [seed]

Prints random cases of \`admit\` or \`lint\`, one JSON object a line; the same for the same seed.`;

const makers: Readonly<Record<string, (random: Random) => readonly JsonObject[]>> = {
  validating: validatingCases,
  mutating: mutatingCases,
  client: (random) => [clientCase(random)],
  authorization: (random) => [authorizationCase(random)],
  lint: (random) => [lintCase(random)],
  types: (random) => [typesCase(random)],
  outcomes: (random) => [outcomeCase(random)],
  budgets: (random) => [budgetCase(random)],
  dense: (random) => [denseCase(random)],
  'dense-mutating': (random) => [denseMutationCase(random)],
  versions: (random) => [versionsCase(random)],
  numbers: (random) => [numbersCase(random)],
  'patch-edges': (random) => [patchEdgesCase(random)],
  configurations: (random) => [configurationCase(random)],
  conversions: (random) => [conversionCase(random)],
  chains: (random) => [chainCase(random)],
  matching: (random) => [matchingCase(random)],
  costs: (random) => [costsCase(random)],
  merges: (random) => [mergeCase(random)],
  parameters: (random) => [parametersCase(random)],
  namespaces: (random) => [namespacesCase(random)],
  subresources: (random) => [subresourcesCase(random)],
  'held-lists': (random) => [heldListsCase(random)],
  variables: (random) => [variablesCase(random)],
  selectors: (random) => [selectorsCase(random)],
};

const [kind = '', count = '', seed = '1'] = process.argv.slice(2);
const make = Object.hasOwn(makers, kind) ? makers[kind] : undefined;
if (make === undefined || !(Number(count) > 0)) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const random = new Random(Number(seed));
  let index = 0;
  while (index < Number(count)) {
    for (const made of make(random).slice(0, Number(count) - index)) {
      console.log(printJson({ id: `${kind}-${seed}-${index}`, ...made } as JsonValue));
      index++;
    }
  }
}
