import { phrases } from '@kubeadmit/random';

/**
 * String expressions over a ConfigMap, one for each addition of a Kubernetes version: functions, macros, syntax. A
 * version refuses a policy with an addition that it does not know.
 */
export const features: readonly string[] = [
  ...phrases`
    object.data.a.trim() + '!'  object.data.a.upperAscii() + object.data.a.lowerAscii()
    object.data.a.replace('a', 'b', 1)  object.data.a.split(',').join('-')
    object.data.a.charAt(0)
    string(object.data.a.indexOf('b')) + string(object.data.a.lastIndexOf('b'))
    object.data.a.substring(1)  object.data.a.reverse()
    '%s is %d'.format([object.data.a, size(object.data.a)])
    '%.2f %e %x %X %o %b'.format([1.5, 2.5, 255, 'é', 8, 5])
    '%s %s'.format([[1, 2.0, 'a'], {'b': true, 'a': null}])  strings.quote(object.data.a)
    object.data.a.find('[0-9]+')  object.data.a.findAll('[a-z]').join('|')
    object.data.a.findAll('[a-z]', 1).join('|')  string(object.data.a.matches('^[a-z]+$'))
    string(size(object.data.a))
    string([1, 2, 3].sum()) + string([3, 1, 2].min()) + string([3, 1, 2].max())
    string([3, 1, 2].isSorted()) + string([1, 2, 1].indexOf(1)) + string([1, 2, 1].lastIndexOf(1))
    string([1, 2, 3, 4].slice(1, 3).size())  string([[1], [2, 3]].flatten().size())
    string([3, 1, 2].sort()[0])  string([3, 1, 2].sortBy(x, -x)[0])
    string([1, 1, 2].distinct().size())  string(lists.range(3).size())
    string([1, 2, 3].reverse()[0])
    string([1, 2, 3].first().orValue(0)) + string([1, 2, 3].last().orValue(0))
    string([1, 2, 3].includes(2))
    string(sets.contains([1, 2], [1])) + string(sets.equivalent([1], [1, 1]))
    string(sets.intersects([1], [2]))
    string([1, 2].all(i, v, v > i)) + string([1, 2].exists(i, v, i == v))
    string([1, 2].existsOne(i, v, i == 0))  string([1, 2].transformList(i, v, i + v).size())
    string({'a': 1}.transformMap(k, v, v + 1)['a'])
    {'a': 'b'}.transformMapEntry(k, v, {v: k})['b']
    string([1, 2].exists_one(x, x == 1)) + string([1, 2].existsOne(x, x == 1))
    cel.bind(x, object.data.a, x + x)  object.data[?'a'].orValue('none')
    object.?data.?zzz.orValue('none')
    string(optional.of(1).hasValue()) + string(optional.none().hasValue())
    optional.of(object.data.a).optMap(x, x + '!').orValue('')
    optional.of(object.data.a).optFlatMap(x, optional.of(x)).orValue('')
    string([?optional.of(1), ?optional.none()].size())
    string(optional.ofNonZeroValue(0).hasValue())
    optional.unwrap([optional.of(object.data.a)])[0]  [optional.of(object.data.a)].unwrapOpt()[0]
    string(quantity('1Gi').isGreaterThan(quantity('1Mi')))
    string(quantity('100m').add(quantity('0.1')).compareTo(quantity('200m')))
    string(quantity('50k').asInteger()) + string(isQuantity('1.3Zi'))
    string(quantity('1Gi').sub(1024).asApproximateFloat())
    string(quantity('-5').sign()) + string(quantity('5').isInteger())
    string(ip('10.0.0.1').family()) + string(isIP('::1')) + string(ip.isCanonical('10.0.0.1'))
    string(ip('127.0.0.1').isLoopback()) + string(ip('fe80::1').isLinkLocalUnicast())
    string(cidr('10.0.0.0/8').containsIP('10.1.2.3')) + string(cidr('10.0.0.0/8').prefixLength())
    string(cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16'))) + string(cidr('10.0.0.0/8').masked())
    string(isCIDR('10.0.0.0/33'))
    string(format.dns1123Label().validate(object.data.a).hasValue())
    string(format.named('uuid').hasValue()) + string(format.named('none').hasValue())
    format.qualifiedName().validate('a b').orValue(['fine'])[0]
    string(format.dns1123LabelPrefix().validate('a-').hasValue())
    string(format.labelValue().validate('a b').value().size())
    string(semver('1.2.3').isLessThan(semver('1.10.0'))) + string(isSemver('v1.0'))
    string(semver('v1.2', true).minor()) + string(isSemver('v1.0', true))
    url('https://example.com:80/path?a=b').getHostname() + string(isURL('/x'))
    url('https://example.com/a%20b').getEscapedPath()
    string(url('https://example.com/?a=b&a=c').getQuery()['a'].size())
    string(timestamp('2024-02-29T01:02:03Z').getDayOfYear('America/New_York'))
    string(duration('1h30m').getMinutes()) + string(duration('-1.5s').getMilliseconds())
    string(timestamp('2024-01-01T00:00:00Z') + duration('24h'))  string(1 < 2.5) + string(1u < 2)
    string(b'abc' + bytes('d')) + string(int('0x1f') == 31)
    string(bool('true')) + string(double('1e3')) + string(uint(5))
    string(1.0) + string(1e21) + string(-0.0) + string(2.5e-7)
    string(type(1) == int) + string(type(object.data) == map)
    string(has(object.data.a) && !has(object.data.zzz))
  `,
  'object.data.`a`',
  'string(object.metadata.labels.`case`.size() > 0)',
  ...phrases`
    string('a' in object.data) + string(dyn(1) == 1.0)
    object.metadata.name + request.operation + request.namespace
    string(namespaceObject.metadata.name)
    string(authorizer.group('').resource('pods').namespace('default').check('get').allowed())
    string(authorizer.group('').resource('pods').fieldSelector('a=b').check('get').allowed())
    string(authorizer.group('').resource('pods').labelSelector('a=b').check('get').reason() == 'x')
    string(authorizer.requestResource.check('create').allowed())
    string(math.greatest(1, 2)) + string(math.least([3, 1]))  base64.encode(b'abc')
    regex.replace(object.data.a, 'a', 'b')  object.data.a.charAt(99)  object.data.zzz
    string(10 / (size(object.data.a) - size(object.data.a)))  object.data.map(k, k).join()
    object.data.map(k, object.data[k] != '', k).join(' ')
    string(object.data.a.contains('b')) + string(object.data.a.startsWith('a')) + string(object.data.a.endsWith('c'))
    string(variables.none)  unknown.field  object.data.a +  'a'.matches('(')  duration('1x')
    string(timestamp('yesterday'))
  `,
];
