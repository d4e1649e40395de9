import { authorizationCase } from './authorization.ts';
import { lintCase, typesCase } from './lint.ts';
import { mutatingCase, validatingCase } from './policies.ts';
import { type JsonObject, Random } from './random.ts';

const USAGE = `usage: cases <validating|mutating|authorization|lint|types> <count> [seed]

Prints random cases of \`admit\` or \`lint\`, one JSON object a line; the same for the same seed.`;

const makers: Readonly<Record<string, (random: Random) => JsonObject>> = {
  validating: validatingCase,
  mutating: mutatingCase,
  authorization: authorizationCase,
  lint: lintCase,
  types: typesCase,
};

const [kind = '', count = '', seed = '1'] = process.argv.slice(2);
const make = Object.hasOwn(makers, kind) ? makers[kind] : undefined;
if (make === undefined || !(Number(count) > 0)) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const random = new Random(Number(seed));
  for (let index = 0; index < Number(count); index++) {
    console.log(JSON.stringify({ id: `${kind}-${seed}-${index}`, ...make(random) }));
  }
}
