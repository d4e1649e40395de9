// Command go-fields prints, as JSON, how kube-apiserver's Go types hold the fields of every built-in kind: their
// order, their names on the wire, whether an empty value is written, and the names that Go's error texts show.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// leaves are the types that have a JSON form of their own.
var leaves = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "microtime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                                         "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "fields",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "intorstring",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "raw",
	"k8s.io/apimachinery/pkg/runtime.Unknown":                                               "unknown",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "json",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "schemaorbool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "schemaorarray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "schemaorstrings",
}

// field is one field of a struct: its key, its shape with the options of its tag, its type as Go prints it, the names of
// the inlined structs that it is in, and the numbers of its protobuf fields from the outermost of these on.
type field [5]string

type maker struct {
	types map[string][]field
}

// modelName is the name that the type has in OpenAPI documents.
func modelName(t reflect.Type) string {
	host, rest, _ := strings.Cut(t.PkgPath(), "/")
	labels := strings.Split(host, ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return strings.Join(labels, ".") + "." + strings.ReplaceAll(rest, "/", ".") + "." + t.Name()
}

func (m *maker) shape(t reflect.Type) string {
	if leaf, ok := leaves[t.PkgPath()+"."+t.Name()]; ok {
		return leaf
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + m.shape(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + m.shape(t.Elem())
	case reflect.Map:
		return "{}" + m.shape(t.Elem())
	case reflect.Struct:
		name := modelName(t)
		if _, ok := m.types[name]; !ok {
			m.types[name] = nil
			fields := []field{}
			m.fields(t, "", "", &fields)
			m.types[name] = fields
		}
		return name
	case reflect.Interface:
		return "interface"
	}
	return t.Kind().String()
}

// number is the protobuf number of a field after those of the inlined structs that it is in. A list of a type that
// encodes itself is a message whose first field holds the elements.
func number(f reflect.StructField, inside string) string {
	parts := strings.Split(f.Tag.Get("protobuf"), ",")
	if len(parts) < 2 || inside == "-" {
		return "-"
	}
	text := strings.TrimPrefix(inside+"."+parts[1], ".")
	if _, isMessage := reflect.New(f.Type).Interface().(interface{ Marshal() ([]byte, error) }); isMessage && f.Type.Kind() == reflect.Slice {
		text += ".1"
	}
	return text
}

func (m *maker) fields(t reflect.Type, inside, numbers string, into *[]field) {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("json"), ",")
		if tag[0] == "-" || (!f.IsExported() && !f.Anonymous) {
			continue
		}
		inline := f.Anonymous && tag[0] == ""
		for _, option := range tag[1:] {
			inline = inline || option == "inline"
		}
		if inline {
			inner := f.Type
			for inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				m.fields(inner, strings.TrimPrefix(inside+"."+f.Name, "."), number(f, numbers), into)
			}
			continue
		}
		name := tag[0]
		if name == "" {
			name = f.Name
		}
		text := m.shape(f.Type)
		for _, option := range tag[1:] {
			text += "," + option
		}
		*into = append(*into, field{name, text, f.Type.String(), inside, number(f, numbers)})
	}
}

func main() {
	m := &maker{types: map[string][]field{}}
	kinds := map[string]string{}
	_ = apiextensionsv1.AddToScheme(scheme.Scheme)
	_ = apiregistrationv1.AddToScheme(scheme.Scheme)
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == "__internal" {
			continue
		}
		kinds[gvk.Group+"/"+gvk.Version+"/"+gvk.Kind] = m.shape(t)
	}
	encoder := json.NewEncoder(os.Stdout)
	_ = encoder.Encode(map[string]any{"kinds": kinds, "types": m.types})
}
