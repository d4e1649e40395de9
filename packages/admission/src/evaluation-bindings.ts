import {
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
  sameKind,
  sameResource,
} from '@kubeadmit/apimachinery';
import type { Value } from '@kubeadmit/cel';
import type { GoFormOf } from '@kubeadmit/cel/unstable-internal';
import type { ParamKind, RequestAttributes } from '@kubeadmit/engine';
import type { Lookup, ValidatingBindings } from '@kubeadmit/engine/unstable-internal';
import type { Parameter } from '@kubeadmit/matcher';
import { parameterRoots, type TypedRoot, type TypedValues } from './typed-values.ts';
import type { Typing } from './versioned-objects.ts';

/** The resource and kind in whose version a policy wants to see the object. */
export interface Matched {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/** The values of `authorizer` and `authorizer.requestResource`. */
export interface AuthorizerValues {
  readonly asker: Value;
  readonly requestResource: Value;
}

/** The values that all bindings of one request share. */
interface SharedValues {
  readonly request: RequestAttributes;
  readonly authorizer: AuthorizerValues;
  readonly namespaceValue: Value;
  readonly wholeNamespaceValue: Value;
  readonly typedValues: (roots: readonly TypedRoot[]) => TypedValues;
  requestValue(matched: Matched): Value;
}

/** The objects that expressions see for a request that matched in one way. */
export interface EvaluationSubject {
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
  readonly matched: Matched;
  readonly parameter: Parameter;
  readonly typing: Typing;
  /** The kind of the parameter where the server holds it as a Go struct, if it has one. */
  readonly paramKind?: ParamKind | undefined;
}

const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

/** The bindings of the groups of a policy's expressions; values are made when they are first read. */
export class EvaluationBindings implements ValidatingBindings {
  readonly #context: SharedValues;
  readonly #subject: EvaluationSubject;
  #request: Value | undefined;
  #requestOfConditions: Value | undefined;
  #typed: TypedValues | undefined;

  constructor(context: SharedValues, subject: EvaluationSubject) {
    this.#context = context;
    this.#subject = subject;
  }

  /** Whether the bindings are those of another subject too. */
  isOf(
    { object, oldObject }: Pick<EvaluationSubject, 'object' | 'oldObject'>,
    matched: Matched,
    parameter: Parameter,
  ): boolean {
    const subject = this.#subject;
    return (
      subject.object === object &&
      subject.oldObject === oldObject &&
      subject.parameter === parameter &&
      (subject.matched === matched ||
        (sameKind(subject.matched.kind, matched.kind) &&
          sameResource(subject.matched.resource, matched.resource)))
    );
  }

  /** The Go forms of the values in the bindings. */
  readonly formOf: GoFormOf = (container) => {
    const { typing, object, oldObject, matched } = this.#subject;
    this.#typed ??= this.#context.typedValues([
      ...(typing.isObjectTyped ? [{ value: object, kind: matched.kind }] : []),
      ...(typing.isOldObjectTyped ? [{ value: oldObject, kind: matched.kind }] : []),
      { value: this.conditions('request'), kind: 'request' },
      { value: this.validations('request'), kind: 'request' },
      { value: this.#context.namespaceValue, kind: namespaceKind },
      { value: this.#context.wholeNamespaceValue, kind: namespaceKind },
      ...parameterRoots(this.#subject.parameter, this.#subject.paramKind),
    ]);
    return this.#typed.form(container);
  };

  /** Conditions see the resource as it was sent, and no namespace. */
  readonly conditions: Lookup = (name) => {
    if (name === 'namespaceObject') return null;
    if (name !== 'request') return this.validations(name);
    const { kind } = this.#subject.matched;
    const { resource } = this.#context.request;
    this.#requestOfConditions ??= this.#context.requestValue({ kind, resource });
    return this.#requestOfConditions;
  };

  readonly validations: Lookup = (name) => {
    switch (name) {
      case 'authorizer':
        return this.#context.authorizer.asker;
      case 'authorizer.requestResource':
        return this.#context.authorizer.requestResource;
      default:
        return this.messages(name);
    }
  };

  readonly messages: Lookup = (name) => {
    switch (name) {
      case 'object':
        return this.#subject.object as Value;
      case 'oldObject':
        return this.#subject.oldObject as Value;
      case 'params':
        return this.#subject.parameter as Value;
      case 'request':
        this.#request ??= this.#context.requestValue(this.#subject.matched);
        return this.#request;
      case 'namespaceObject':
        return this.#context.namespaceValue;
      default:
        return undefined;
    }
  };

  readonly auditAnnotations: Lookup = (name) =>
    name === 'namespaceObject' ? this.#context.wholeNamespaceValue : this.messages(name);
}
