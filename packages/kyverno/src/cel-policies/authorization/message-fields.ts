/** The type of a field: a scalar, a well-known type, or the name of a message; in `list` or, by strings, in `map`. */
export type FieldNotation = string;

/** The fields of messages by the name of the message, in the order of their definitions. */
export type MessageFields = Readonly<Record<string, Readonly<Record<string, FieldNotation>>>>;

const auth = 'envoy.service.auth.v3';
const core = 'envoy.config.core.v3';

/** The messages of Envoy's external authorization (`envoy.service.auth.v3`), as go-control-plane 1.37 defines them. */
export const envoyMessages: MessageFields = {
  [`${auth}.CheckRequest`]: { attributes: `${auth}.AttributeContext` },
  [`${auth}.AttributeContext`]: {
    source: `${auth}.AttributeContext.Peer`,
    destination: `${auth}.AttributeContext.Peer`,
    request: `${auth}.AttributeContext.Request`,
    context_extensions: 'map string',
    metadata_context: `${core}.Metadata`,
    route_metadata_context: `${core}.Metadata`,
    tls_session: `${auth}.AttributeContext.TLSSession`,
  },
  [`${auth}.AttributeContext.Peer`]: {
    address: `${core}.Address`,
    service: 'string',
    labels: 'map string',
    principal: 'string',
    certificate: 'string',
  },
  [`${auth}.AttributeContext.Request`]: {
    time: 'timestamp',
    http: `${auth}.AttributeContext.HttpRequest`,
  },
  [`${auth}.AttributeContext.HttpRequest`]: {
    id: 'string',
    method: 'string',
    headers: 'map string',
    header_map: `${core}.HeaderMap`,
    path: 'string',
    host: 'string',
    scheme: 'string',
    query: 'string',
    fragment: 'string',
    size: 'int',
    protocol: 'string',
    body: 'string',
    raw_body: 'bytes',
  },
  [`${auth}.AttributeContext.TLSSession`]: { sni: 'string' },
  [`${auth}.CheckResponse`]: {
    status: 'google.rpc.Status',
    denied_response: `${auth}.DeniedHttpResponse`,
    ok_response: `${auth}.OkHttpResponse`,
    error_response: `${auth}.DeniedHttpResponse`,
    dynamic_metadata: 'struct',
  },
  [`${auth}.DeniedHttpResponse`]: {
    status: 'envoy.type.v3.HttpStatus',
    headers: `list ${core}.HeaderValueOption`,
    body: 'string',
  },
  [`${auth}.OkHttpResponse`]: {
    headers: `list ${core}.HeaderValueOption`,
    headers_to_remove: 'list string',
    dynamic_metadata: 'struct',
    response_headers_to_add: `list ${core}.HeaderValueOption`,
    query_parameters_to_set: `list ${core}.QueryParameter`,
    query_parameters_to_remove: 'list string',
  },
  [`${core}.Address`]: {
    socket_address: `${core}.SocketAddress`,
    pipe: `${core}.Pipe`,
    envoy_internal_address: `${core}.EnvoyInternalAddress`,
  },
  [`${core}.SocketAddress`]: {
    protocol: 'int',
    address: 'string',
    port_value: 'uint',
    named_port: 'string',
    resolver_name: 'string',
    ipv4_compat: 'bool',
    network_namespace_filepath: 'string',
  },
  [`${core}.Pipe`]: { path: 'string', mode: 'uint' },
  [`${core}.EnvoyInternalAddress`]: { server_listener_name: 'string', endpoint_id: 'string' },
  [`${core}.Metadata`]: { filter_metadata: 'map struct' },
  [`${core}.HeaderMap`]: { headers: `list ${core}.HeaderValue` },
  [`${core}.HeaderValue`]: { key: 'string', value: 'string', raw_value: 'bytes' },
  [`${core}.HeaderValueOption`]: {
    header: `${core}.HeaderValue`,
    append_action: 'int',
    keep_empty_value: 'bool',
  },
  [`${core}.QueryParameter`]: { key: 'string', value: 'string' },
  'envoy.type.v3.HttpStatus': { code: 'int' },
  'google.rpc.Status': { code: 'int', message: 'string' },
};

/** The messages of requests and answers over HTTP (kyverno-authz, `pkg/cel/libs/authz/http`). */
export const httpMessages: MessageFields = {
  'http.CheckRequest': { attributes: 'http.CheckRequestAttributes' },
  'http.CheckRequestAttributes': {
    method: 'string',
    header: 'map list string',
    host: 'string',
    protocol: 'string',
    contentLength: 'int',
    body: 'bytes',
    scheme: 'string',
    path: 'string',
    query: 'map list string',
    fragment: 'string',
  },
  'http.CheckResponse': { ok: 'http.CheckResponseOk', denied: 'http.CheckResponseDenied' },
  'http.CheckResponseOk': {},
  'http.CheckResponseDenied': { reason: 'string' },
};

/** The message of a decoded token (kyverno-authz, `pkg/cel/libs/jwt`). */
export const tokenMessages: MessageFields = { 'jwt.Token': { Claims: 'struct', Valid: 'bool' } };
