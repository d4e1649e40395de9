import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import { stringShape } from '../cel/shapes.ts';
import { binding, call, choice, member, operand, relation, type Term } from '../cel/term.ts';
import { Unsupported } from '../notes/unsupported.ts';
import type { Projection, Value } from './value.ts';

const lists: ReadonlySet<string> = new Set(['containers', 'initContainers', 'ephemeralContainers']);

/** The images of a list of containers: `images.containers`. */
export function imagesOf(pod: Path, name: string): Value {
  if (!lists.has(name)) throw new Unsupported(`\`images.${name}\` is not a list of containers`);
  return { kind: 'images', places: [pod.select('spec').select(name)] };
}

/** Every image: `images.containers.*`. */
export function eachImage(places: readonly Path[]): Projection {
  const parts = places.map((place) => place.orValue(literal([])).text);
  const list = { text: parts.join(' + '), binds: parts.length > 1 ? binding.sum : binding.member };
  return {
    kind: 'projection',
    list,
    name: 'container',
    filter: undefined,
    item: { kind: 'image', reference: member('container.image') },
  };
}

/** The image of the container with a name: `images.containers."main"`. */
export function namedImage(places: readonly Path[], name: Term): Value {
  const [place, ...others] = places;
  if (place === undefined || others.length > 0) throw new Unsupported('an image of several lists');
  // The name of an element leads to the element.
  const [, element] = /^(\w+)\.name$/.exec(name.text) ?? [];
  if (element !== undefined && element !== 'request') {
    return { kind: 'image', reference: member(`${element}.image`) };
  }
  const test = relation(member('container.name'), '==', name);
  const found = call(place.term, 'filter', member('container'), test);
  return { kind: 'image', reference: member(`${found.text}[0].image`) };
}

/** A part of an image reference, with its default. */
export function imagePart(reference: Term, name: string): Value {
  const text = operand(reference, binding.member);
  const first = `${text}.split('/')[0]`;
  // A name without a registry begins with a path.
  const hasRegistry: Term = {
    text: `${text}.contains('/') && ${first}.matches('[.:A-Z]|^localhost$')`,
    binds: binding.and,
  };
  switch (name) {
    case 'registry':
      return result(choice(hasRegistry, member(first), literal('docker.io')));
    case 'path': {
      const rest = member(`${text}.substring(${text}.indexOf('/') + 1)`);
      const path = operand(choice(hasRegistry, rest, reference), binding.member);
      return result(member(`${path}.find('^[^:@]+')`));
    }
    case 'name':
      return result(member(`${text}.split('@')[0].find('[^/]*$').find('^[^:]+')`));
    case 'tag': {
      const tag = `${text}.split('@')[0].find('[^/]*$').find(':.+$')`;
      const isWritten: Term = { text: `${tag} != '' || ${text}.contains('@')`, binds: binding.or };
      return result(choice(isWritten, member(`${tag}.replace(':', '')`), literal('latest')));
    }
    case 'digest':
      return result(member(`${text}.find('@.+$').replace('@', '')`));
    default:
      throw new Unsupported(`the part \`${name}\` of an image reference`);
  }
}

// A reference that contains a wildcard is invalid and ends the rule with an error.
function result(term: Term): Value {
  return { kind: 'term', term, shape: stringShape, isName: true };
}
