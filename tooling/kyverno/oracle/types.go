// Command go-types prints, as JSON, the Go types that Kyverno decodes policies and exceptions into.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	kyvernov1 "github.com/kyverno/kyverno/api/kyverno/v1"
	kyvernov2 "github.com/kyverno/kyverno/api/kyverno/v2"
)

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

type maker map[string]map[string]string

// nameOf tells types of the same name in different packages apart; those of Kyverno keep the short form.
func nameOf(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	if strings.Contains(t.PkgPath(), "kyverno") || len(path) < 2 || t.Kind() != reflect.Struct {
		return t.String()
	}
	return path[len(path)-2] + "." + t.String()
}

// describe names a type: a scalar with its kind in front, a list, a map, a pointer, a struct of the table, or `any`.
func (m maker) describe(t reflect.Type) string {
	name := nameOf(t)
	switch {
	case t.Kind() == reflect.Pointer:
		return "*" + m.describe(t.Elem())
	case reflect.PointerTo(t).Implements(unmarshaler) && t.Kind() != reflect.Slice:
		return "any:" + t.String()
	}
	named := ""
	if t.Name() != "" {
		named = t.String() + "="
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "any:" + name
		}
		return named + "[]" + m.describe(t.Elem())
	case reflect.Map:
		return named + "map:" + m.describe(t.Elem())
	case reflect.Struct:
		if _, known := m[name]; !known {
			m[name] = map[string]string{}
			m.fields(t, m[name])
		}
		return name
	case reflect.Interface:
		return "any:" + name
	}
	if kind := t.Kind().String(); kind != name {
		return kind + ":" + name
	}
	return name
}

// order holds the fields of each struct in order, and promoted the structs that fields are taken from.
var (
	order    = map[string][]string{}
	promoted = map[string]string{}
)

func (m maker) fields(t reflect.Type, out map[string]string) { m.into(t, nameOf(t), "", out) }

func (m maker) into(t reflect.Type, owner, from string, out map[string]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == "-" || !field.IsExported() {
			continue
		}
		if field.Anonymous && tag == "" {
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			m.into(inner, owner, strings.TrimPrefix(from+"."+field.Name, "."), out)
			continue
		}
		if strings.Contains(","+options+",", ",omitempty,") || strings.Contains(options, "omitzero") {
			tag += "?"
		}
		out[tag] = m.describe(field.Type)
		order[owner] = append(order[owner], tag)
		promoted[owner+" "+tag] = from
	}
}

func main() {
	m := maker{}
	for _, t := range []reflect.Type{
		reflect.TypeFor[kyvernov1.ClusterPolicy](), reflect.TypeFor[kyvernov1.Policy](),
		reflect.TypeFor[kyvernov1.Condition](), reflect.TypeFor[kyvernov1.AnyAllConditions](),
		reflect.TypeFor[kyvernov1.ForEachValidation](), reflect.TypeFor[kyvernov1.ForEachMutation](),
		reflect.TypeFor[kyvernov2.PolicyException](), reflect.TypeFor[kyvernov2.GlobalContextEntry](),
		reflect.TypeFor[kyvernov2.CleanupPolicy](), reflect.TypeFor[kyvernov2.ClusterCleanupPolicy](),
	} {
		m.describe(t)
	}
	out := map[string][][]string{}
	for name, fields := range m {
		for _, tag := range order[name] {
			row := []string{tag, fields[tag]}
			if from := promoted[name+" "+tag]; from != "" {
				row = append(row, from)
			}
			out[name] = append(out[name], row)
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(out)
}
