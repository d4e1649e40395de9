import type { Library, StructProvider, Type } from '@kubeadmit/cel';
import { bindingsLibrary } from '@kubeadmit/cel/libraries/bindings';
import { encodersLibrary } from '@kubeadmit/cel/libraries/encoders';
import { mathLibrary } from '@kubeadmit/cel/libraries/math';
import { structType } from '@kubeadmit/cel/types';
import type { ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { baseEnvironment } from '@kubeadmit/engine';
import { joinStructs } from '@kubeadmit/engine/environment';
import { kubernetesMinor } from '../cel/kubernetes-minor.ts';
import { envoyAuthorizationLibrary } from './authorization/envoy-library.ts';
import { httpAuthorizationLibrary } from './authorization/http-library.ts';
import { messageTypes } from './authorization/message-types.ts';
import { tokenLibrary } from './authorization/token-library.ts';
import { contextTypes } from './libraries/context-value.ts';
import { functionsNamed } from './libraries/declare.ts';
import { imageLibrary } from './libraries/image.ts';
import { httpLibrary } from './libraries/outside-data.ts';
import { resourceLibrary } from './libraries/resource.ts';
import { unmarshalJson } from './libraries/texts.ts';
import type { Clock } from './libraries/time.ts';
import { variablesType } from './variables.ts';

/** The evaluation modes of policies about requests to services instead of objects. */
export type AuthorizationMode = 'HTTP' | 'Envoy';

/** Whether a policy of an evaluation mode decides about requests to services. */
export function isAuthorizationMode(mode: string): mode is AuthorizationMode {
  return mode === 'HTTP' || mode === 'Envoy';
}

/** The types of `object` (request) and of the results of validations (response) in each mode. */
export const modeMessages: Readonly<
  Record<AuthorizationMode, { readonly request: string; readonly response: string }>
> = {
  HTTP: { request: 'http.CheckRequest', response: 'http.CheckResponse' },
  Envoy: {
    request: 'envoy.service.auth.v3.CheckRequest',
    response: 'envoy.service.auth.v3.CheckResponse',
  },
};

const unmarshalLibrary: Library = {
  name: 'kyverno.json',
  types: [contextTypes.json],
  functions: functionsNamed(
    [['Unmarshal', 'unmarshal_string_dyn', 'Json.(dyn) -> dyn', unmarshalJson]],
    { Json: contextTypes.json },
  ),
};

/** Returns the environment of expressions in an authorization mode (kyverno-authz, `NewEnv` and `compile`). */
export function authorizationEnvironment(
  mode: AuthorizationMode,
  clock: Clock,
  variables: ReadonlyMap<string, Type>,
): ValueEnvironment {
  const { http, image, json, resource } = contextTypes;
  const variableStructs: StructProvider = {
    has: (name) => name === variablesType.name,
    fieldType: (_name, field) => variables.get(field),
  };
  return baseEnvironment(kubernetesMinor).extend({
    libraries: [
      bindingsLibrary,
      encodersLibrary,
      mathLibrary,
      mode === 'HTTP' ? httpAuthorizationLibrary : envoyAuthorizationLibrary,
      httpLibrary(''),
      tokenLibrary(clock),
      unmarshalLibrary,
      resourceLibrary(''),
      imageLibrary,
    ],
    variables: {
      http,
      image,
      json,
      resource,
      object: structType(modeMessages[mode].request),
      variables: variablesType,
    },
    structs: joinStructs(messageTypes, variableStructs),
  });
}
