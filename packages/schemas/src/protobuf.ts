// Built-in kinds as protocol buffers; apart, so that JSON alone does not load the numbers of fields.
export {
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufParts,
  encodeWatchEvent,
  hasProtobufForm,
  loadProtobuf,
  type NamedKind,
  type Protobuf,
  type ProtobufRead,
  type WrittenMessage,
  type WrittenMessages,
} from './protobuf/object.ts';
