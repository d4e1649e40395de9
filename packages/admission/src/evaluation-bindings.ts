import type { GoFormOf, Value } from '@kubeadmit/cel';
import {
  type Bindings,
  type KubernetesObject,
  sameKind,
  sameResource,
  type ValidatingBindings,
} from '@kubeadmit/engine';
import type { Parameter } from '@kubeadmit/matcher';
import type { Matched, RequestContext } from './request-context.ts';
import type { TypedValues } from './typed-values.ts';

/** What the expressions of policies see of a request that was matched in one way. */
export interface EvaluationSubject {
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
  readonly matched: Matched;
  readonly parameter: Parameter;
}

const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

/** The bindings of the groups of a policy's expressions, each made when it is first asked for. */
export class EvaluationBindings implements ValidatingBindings {
  private readonly context: RequestContext;
  private readonly subject: EvaluationSubject;
  private madeConditions: Bindings | undefined;
  private madeValidations: Bindings | undefined;
  private madeMessages: Bindings | undefined;
  private madeAnnotations: Bindings | undefined;
  private typed: TypedValues | undefined;

  constructor(context: RequestContext, subject: EvaluationSubject) {
    this.context = context;
    this.subject = subject;
  }

  /** Whether the bindings are those of another subject too. */
  isOf({ object, oldObject, matched, parameter }: EvaluationSubject): boolean {
    const { subject } = this;
    return (
      subject.object === object &&
      subject.oldObject === oldObject &&
      subject.parameter === parameter &&
      (subject.matched === matched ||
        (sameKind(subject.matched.kind, matched.kind) &&
          sameResource(subject.matched.resource, matched.resource)))
    );
  }

  /** In which forms of Go the server holds what is in the bindings. */
  readonly goForm: GoFormOf = (container) => {
    this.typed ??= this.context.typedValues([
      { value: this.subject.object, kind: this.subject.matched.kind },
      { value: this.subject.oldObject, kind: this.subject.matched.kind },
      { value: this.conditions['request'], kind: 'request' },
      { value: this.validations['request'], kind: 'request' },
      { value: this.context.namespaceValue, kind: namespaceKind },
      { value: this.context.wholeNamespaceValue, kind: namespaceKind },
    ]);
    return this.typed.form(container);
  };

  /** Conditions see the resource as it was sent, and no namespace. */
  get conditions(): Bindings {
    const { kind } = this.subject.matched;
    const { resource } = this.context.request;
    this.madeConditions ??= this.withAuthorizer(
      this.context.requestValue({ kind, resource }),
      null,
    );
    return this.madeConditions;
  }

  get validations(): Bindings {
    this.madeValidations ??= this.withAuthorizer(
      this.context.requestValue(this.subject.matched),
      this.context.namespaceValue,
    );
    return this.madeValidations;
  }

  get messages(): Bindings {
    this.madeMessages ??= this.withoutAuthorizer(this.context.namespaceValue);
    return this.madeMessages;
  }

  get auditAnnotations(): Bindings {
    this.madeAnnotations ??= this.withoutAuthorizer(this.context.wholeNamespaceValue);
    return this.madeAnnotations;
  }

  private withAuthorizer(request: Value, namespaceObject: Value): Bindings {
    const { object, oldObject, parameter } = this.subject;
    const { asker, requestResource } = this.context.authorizer;
    return {
      object: object as Value,
      oldObject: oldObject as Value,
      params: parameter as Value,
      request,
      namespaceObject,
      authorizer: asker,
      'authorizer.requestResource': requestResource,
    };
  }

  private withoutAuthorizer(namespaceObject: Value): Bindings {
    const { object, oldObject, matched, parameter } = this.subject;
    return {
      object: object as Value,
      oldObject: oldObject as Value,
      params: parameter as Value,
      request: this.context.requestValue(matched),
      namespaceObject,
    };
  }
}
