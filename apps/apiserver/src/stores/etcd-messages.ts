type Fields = Readonly<
  Record<string, { readonly id: number; readonly type: string; readonly rule?: 'repeated' }>
>;

/** Fields of a message as `name: [number, type]`, repeated ones with `[]` behind the type. */
function message(fields: Readonly<Record<string, readonly [number, string]>>): { fields: Fields } {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, [id, type]]) => [
        name,
        type.endsWith('[]') ? { id, type: type.slice(0, -2), rule: 'repeated' } : { id, type },
      ]),
    ),
  };
}

function oneOf(group: string, definition: { fields: Fields }): { fields: Fields; oneofs: object } {
  return { ...definition, oneofs: { [group]: { oneof: Object.keys(definition.fields) } } };
}

/** The part of etcd's v3 API (`etcdserverpb`) that a store needs, by the numbers of its published definition. */
export const etcdMessages = {
  nested: {
    mvccpb: {
      nested: {
        KeyValue: message({
          key: [1, 'bytes'],
          create_revision: [2, 'int64'],
          mod_revision: [3, 'int64'],
          version: [4, 'int64'],
          value: [5, 'bytes'],
          lease: [6, 'int64'],
        }),
        Event: message({ type: [1, 'int32'], kv: [2, 'KeyValue'], prev_kv: [3, 'KeyValue'] }),
      },
    },
    etcdserverpb: {
      nested: {
        ResponseHeader: message({ revision: [3, 'int64'] }),
        RangeRequest: message({
          key: [1, 'bytes'],
          range_end: [2, 'bytes'],
          limit: [3, 'int64'],
          revision: [4, 'int64'],
          count_only: [9, 'bool'],
        }),
        RangeResponse: message({
          header: [1, 'ResponseHeader'],
          kvs: [2, 'mvccpb.KeyValue[]'],
          more: [3, 'bool'],
          count: [4, 'int64'],
        }),
        PutRequest: message({ key: [1, 'bytes'], value: [2, 'bytes'] }),
        PutResponse: message({ header: [1, 'ResponseHeader'] }),
        DeleteRangeRequest: message({ key: [1, 'bytes'], range_end: [2, 'bytes'] }),
        DeleteRangeResponse: message({ header: [1, 'ResponseHeader'], deleted: [2, 'int64'] }),
        RequestOp: oneOf(
          'request',
          message({
            request_range: [1, 'RangeRequest'],
            request_put: [2, 'PutRequest'],
            request_delete_range: [3, 'DeleteRangeRequest'],
          }),
        ),
        ResponseOp: oneOf(
          'response',
          message({
            response_range: [1, 'RangeResponse'],
            response_put: [2, 'PutResponse'],
            response_delete_range: [3, 'DeleteRangeResponse'],
          }),
        ),
        Compare: message({
          result: [1, 'int32'],
          target: [2, 'int32'],
          key: [3, 'bytes'],
          mod_revision: [6, 'int64'],
        }),
        TxnRequest: message({
          compare: [1, 'Compare[]'],
          success: [2, 'RequestOp[]'],
          failure: [3, 'RequestOp[]'],
        }),
        TxnResponse: message({
          header: [1, 'ResponseHeader'],
          succeeded: [2, 'bool'],
          responses: [3, 'ResponseOp[]'],
        }),
        CompactionRequest: message({ revision: [1, 'int64'], physical: [2, 'bool'] }),
        CompactionResponse: message({ header: [1, 'ResponseHeader'] }),
        WatchCreateRequest: message({
          key: [1, 'bytes'],
          range_end: [2, 'bytes'],
          start_revision: [3, 'int64'],
          progress_notify: [4, 'bool'],
          prev_kv: [6, 'bool'],
          fragment: [8, 'bool'],
        }),
        WatchProgressRequest: message({}),
        WatchRequest: oneOf(
          'request_union',
          message({
            create_request: [1, 'WatchCreateRequest'],
            progress_request: [3, 'WatchProgressRequest'],
          }),
        ),
        WatchResponse: message({
          header: [1, 'ResponseHeader'],
          watch_id: [2, 'int64'],
          created: [3, 'bool'],
          canceled: [4, 'bool'],
          compact_revision: [5, 'int64'],
          cancel_reason: [6, 'string'],
          fragment: [7, 'bool'],
          events: [11, 'mvccpb.Event[]'],
        }),
        KV: {
          methods: {
            Range: { requestType: 'RangeRequest', responseType: 'RangeResponse' },
            Txn: { requestType: 'TxnRequest', responseType: 'TxnResponse' },
            Compact: { requestType: 'CompactionRequest', responseType: 'CompactionResponse' },
          },
        },
        Watch: {
          methods: {
            Watch: {
              requestType: 'WatchRequest',
              requestStream: true,
              responseType: 'WatchResponse',
              responseStream: true,
            },
          },
        },
      },
    },
  },
} as const;
