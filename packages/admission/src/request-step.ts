import type { RequestAttributes } from '@kubeadmit/engine/internal';
import { isOperation } from '@kubeadmit/engine/internal';
import { isExempt } from '@kubeadmit/matcher';
import type { Cluster } from './cluster.ts';
import { convertObject } from './convert-object.ts';
import { RequestContext } from './request-context.ts';
import type { RequestEnvironment } from './request-environment.ts';
import { TypedValues } from './typed-values.ts';

/** Whether policies see a request at all: the resources that policies are made of are exempt. */
export function concernsPolicies(request: RequestAttributes): boolean {
  return isOperation(request.operation) && !isExempt(request);
}

/** What the policies of one step share about a request with the object as it is then. */
export function stepContext(
  { schemas, authorizer, handsOnStructs }: Cluster,
  environment: RequestEnvironment,
  request: RequestAttributes,
): RequestContext {
  return new RequestContext({
    request,
    matchEnvironment: environment.match,
    convert: (object, kind) => convertObject(schemas, object, kind),
    findNamespace: environment.findNamespace,
    authorizer,
    typedValues: (roots) => new TypedValues(schemas, handsOnStructs ? roots : []),
  });
}
