/**
 * The descriptions of functions that exist only in Kyverno's policies; member functions are listed with their
 * receivers.
 */
export const kyvernoFunctionWords: Readonly<Record<string, string>> = {
  'resource.get':
    'One object of the cluster, or null: `resource.get("v1", "configmaps", "default", "limits")`. Namespaced policies omit the namespace.',
  'resource.list':
    'The objects of a resource in `items`, optionally of a namespace and with labels: `resource.list("v1", "pods", "default").items`.',
  'resource.post': 'Creates an object, and returns it as stored.',
  'resource.toGVR': 'The resource of a kind: `resource.toGVR("apps/v1", "Deployment")`.',
  'http.get': 'The JSON response of a service; the second argument contains headers.',
  'http.post': 'Sends a value as JSON to a service, and returns its response.',
  'http.client': 'A client that trusts the certificates of a bundle in PEM.',
  'globalContext.get':
    'An entry of the global context, or a projection of it: `globalContext.get("deployments", "names")`.',
  'image.getMetadata':
    'The metadata of an image from its registry: `image.getMetadata("nginx:1.27").config`.',
  'json.unmarshal': 'Parses JSON: `json.unmarshal("[1]")[0]`.',
  'json.marshal': 'Formats a value as JSON.',
  'yaml.parse': 'Parses YAML: `yaml.parse("a: 1").a`.',
  'gzip.decompress': 'Decompresses gzip data to a string.',
  'gzip.compress': 'Compresses a value with gzip.',
  'x509.decode':
    'Parses a certificate or a certificate signing request in PEM: `x509.decode(text).NotAfter`.',
  'time.now': 'The time at which the policy is evaluated.',
  'time.toCron': 'A time as a cron expression: minute, hour, day and month.',
  'time.truncate': 'A time, rounded down to a multiple of a duration.',
  parseServiceAccount:
    'The `Name` and `Namespace` of the service account with a user name; empty for other users.',
  'user.parseServiceAccount':
    'The `Name` and `Namespace` of the service account with a user name; empty for other users.',
  sha1: 'The SHA-1 hash of a string in hexadecimal digits.',
  sha256: 'The SHA-256 hash of a string in hexadecimal digits.',
  md5: 'The MD5 hash of a string in hexadecimal digits.',
  'hash.sha1': 'The SHA-1 hash of a string in hexadecimal digits.',
  'hash.sha256': 'The SHA-256 hash of a string in hexadecimal digits.',
  'hash.md5': 'The MD5 hash of a string in hexadecimal digits.',
  'math.round': 'A number, rounded to a number of digits: `math.round(2.346, 2)` is 2.35.',
  'math.greatest': 'The largest of the arguments, or of a list.',
  'math.least': 'The smallest of the arguments, or of a list.',
  'math.abs': 'The absolute value.',
  'math.sign': '-1, 0 or 1: the sign of a number.',
  'math.sqrt': 'The square root.',
  'math.ceil': 'The number, rounded up.',
  'math.floor': 'The number, rounded down.',
  'math.trunc': 'The number without its fraction.',
  'math.isNaN': 'Whether a number is NaN.',
  'math.isInf': 'Whether a number is infinite.',
  'math.isFinite': 'Whether a number is neither infinite nor NaN.',
  'math.bitAnd': 'The bitwise AND of two integers.',
  'math.bitOr': 'The bitwise OR of two integers.',
  'math.bitXor': 'The bitwise XOR of two integers.',
  'math.bitNot': 'The bitwise NOT of an integer.',
  'math.bitShiftLeft': 'The integer, shifted left by a number of bits.',
  'math.bitShiftRight': 'The integer, shifted right by a number of bits.',
  'regex.replace':
    'Replaces all matches of a regular expression, or the first few: `regex.replace("a1", "[0-9]", "x")`.',
  'regex.extract':
    'The first match of the group of a regular expression, as an optional value: `regex.extract("id:42", "id:([0-9]+)")`.',
  'regex.extractAll': 'All matches of the group of a regular expression, as a list.',
  random: 'A random string that matches a regular expression: `random("[a-z]{4}")`.',
  'random.random': 'A random string that matches a regular expression.',
  listObjToMap:
    'A map from two lists of objects: a field of the first list gives the keys, a field of the second the values.',
  'transform.listObjToMap':
    'A map from two lists of objects: a field of the first list gives the keys, a field of the second the values.',
  parseImageReference: 'Parses an image reference: `parseImageReference("nginx").tag()`.',
  image: 'Parses an image reference: `image("nginx").registry()`.',
  isImage: 'Whether a string is a valid image reference.',
  registry: 'The registry of an image (default: `index.docker.io`).',
  repository: 'The repository of an image: `library/nginx`.',
  tag: 'The tag of an image; `latest` if it has neither tag nor digest.',
  digest: 'The digest of an image; empty if it has none.',
  identifier: 'The tag of an image, with its digest if it has one.',
  identifierWithSeparator: 'The digest with `@`, or the tag with `:`.',
  containsDigest: 'Whether an image reference has a digest.',
  'base64.encode': 'Bytes in base64.',
  'base64.decode': 'Decodes base64 to bytes.',
  'json.encode': 'Formats a value as JSON.',
  orValue:
    'The value of an optional, or the argument if it is empty; other values are returned unchanged.',
  'cel.bind': 'Gives a name to a value for one expression: `cel.bind(c, object.spec, c.x && c.y)`.',
};
