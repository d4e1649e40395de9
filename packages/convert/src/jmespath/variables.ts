import { structShape } from '@kubeadmit/schemas/types';
import { literal } from '../cel/literal.ts';
import { type Known, Path } from '../cel/path.ts';
import { stringShape } from '../cel/shapes.ts';
import { member } from '../cel/term.ts';
import type { Note } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import type { Value } from './value.ts';

/** The variables that an expression may name, by their first words. */
export interface Variables {
  readonly known: Known;
  /** The meaning of `request.object`: the old object in rules that apply only to deletions. */
  readonly object: Path;
  readonly oldObject: Path;
  /** Variables of the rule's context, and `element` inside a loop. */
  readonly named: ReadonlyMap<string, Value>;
  /** Variables in quotes inside the expression, by the texts that stand for them. */
  readonly quoted?: ReadonlyMap<string, Value>;
  readonly parameter?: Parameter;
  /** The operations that the policy is about. */
  readonly operations?: readonly string[];
  /** Whether expressions may read the time (`time.now()`), as those of Kyverno's policies may. */
  readonly hasClock?: boolean;
  /** Whether they are those of a mutation. */
  readonly isOfPatch?: boolean;
  /** Whether a simple expression is preferred to an exact one. */
  readonly isIdiomatic?: boolean;
  /** Notes on the result for its readers. */
  readonly notes: Set<Note>;
  /** The conditions that end in an error where something is absent. */
  readonly failing: Set<string>;
}

/** The ConfigMap that is the parameter of the policy. */
export interface Parameter {
  readonly name: string;
  readonly namespace: string;
}

const unknown = (known: Known): Known => ({ schemas: known.schemas, shape: undefined });

/** The value of a variable of Kyverno, such as `element` or `request`. */
export function variable(variables: Variables, name: string): Value | RequestValue {
  const named = variables.named.get(name);
  if (named !== undefined) return named;
  switch (name) {
    case 'request':
      return { kind: 'request' };
    case 'serviceAccountName':
    case 'serviceAccountNamespace':
      return serviceAccount(name === 'serviceAccountName' ? 3 : 2);
    case 'images':
      return { kind: 'images', places: undefined };
    default:
      throw new Unsupported(`the variable \`${name}\` does not exist in admission policies`);
  }
}

/** The variable `request` itself, of which only members have a meaning. */
export interface RequestValue {
  readonly kind: 'request';
}

const stringMembers: ReadonlySet<string> = new Set(['operation', 'namespace', 'name', 'uid']);

/** A member of `request`. */
export function requestMember(variables: Variables, name: string): Value {
  switch (name) {
    case 'object':
      return { kind: 'path', path: variables.object };
    case 'oldObject':
      return { kind: 'path', path: variables.oldObject };
    case 'roles':
    case 'clusterRoles':
      throw new Unsupported(
        `\`request.${name}\`: admission policies cannot read the roles of a user`,
        'check the required permission with the authorizer',
      );
    case 'userInfo': {
      const known = { ...variables.known, shape: structShape('authentication.v1.UserInfo') };
      return { kind: 'path', path: new Path(member('request.userInfo'), known) };
    }
    default: {
      const shape = stringMembers.has(name) ? stringShape : undefined;
      const known = { ...unknown(variables.known), shape };
      if (shape !== undefined) return { kind: 'term', term: member(`request.${name}`), shape };
      return { kind: 'path', path: new Path(member('request'), known).select(name) };
    }
  }
}

// system:serviceaccount:NAMESPACE:NAME
function serviceAccount(part: number): Value {
  const user = 'request.userInfo.username';
  const isAccount = `${user}.startsWith('system:serviceaccount:')`;
  return {
    kind: 'term',
    term: {
      text: `${isAccount} ? ${user}.split(':')[${part}] : ${literal('').text}`,
      binds: 0,
    },
    shape: stringShape,
  };
}
