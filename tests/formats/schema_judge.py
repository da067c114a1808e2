"""A small judge of JSON Schema: just the words that our schemas use."""

import re

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}
SAYS_NOTHING = {"$schema", "$id", "$comment", "$defs", "title", "description", "default"}


def complaints(value, schema, root, at="$"):
    """A small judge of JSON Schema: just the words that these schemas use. An unknown word is an error."""
    # The type first: the other words speak only of values of that type.
    for word, said in sorted(schema.items(), key=lambda entry: entry[0] != "type"):
        match word:
            case _ if word in SAYS_NOTHING:
                continue
            case "$ref":
                yield from complaints(value, root["$defs"][said.removeprefix("#/$defs/")], root, at)
            case "type":
                if not isinstance(value, TYPES[said]) or (isinstance(value, bool) and said != "boolean"):
                    yield f"{at} is no {said}"
                    return
            case "properties":
                for key in value.keys() & said.keys():
                    yield from complaints(value[key], said[key], root, f"{at}.{key}")
            case "patternProperties":
                ((pattern, inside),) = said.items()
                for key in value:
                    yield from complaints(value[key], inside, root, f"{at}.{key}") if re.search(pattern, key) else ()
            case "additionalProperties":
                known = schema.get("properties", {}).keys()
                patterns = schema.get("patternProperties", {})
                extra = [key for key in value if key not in known and not any(re.search(one, key) for one in patterns)]
                yield from (f"{at}.{key} is unknown" for key in extra if said is False)
                if isinstance(said, dict):
                    for key in extra:
                        yield from complaints(value[key], said, root, f"{at}.{key}")
            case "required":
                yield from (f"{at}.{key} is missing" for key in said if key not in value)
            case "items":
                for number, item in enumerate(value):
                    yield from complaints(item, said, root, f"{at}[{number}]")
            case "oneOf" | "anyOf":
                passed = sum(not list(complaints(value, choice, root, at)) for choice in said)
                if passed == 0 or (passed > 1 and word == "oneOf"):
                    yield f"{at} fits {passed} of {word}"
            case "if":
                is_met = not list(complaints(value, said, root, at))
                yield from complaints(value, schema["then" if is_met else "else"], root, at)
            case "then" | "else":
                assert "if" in schema
            case "not":
                if not list(complaints(value, said, root, at)):
                    yield f"{at} fits what it must not"
            case "const" | "enum":
                if value not in ([said] if word == "const" else said):
                    yield f"{at} is none of {said}"
            case "pattern":
                if not re.search(said, value):
                    yield f"{at} does not fit {said}"
            case "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum":
                above = value >= said if word.endswith("inimum") else value <= said
                if not above or (value == said and word.startswith("exclusive")):
                    yield f"{at} is beyond {word}"
            case "minLength" | "minItems" | "minProperties" | "maxLength" | "maxItems" | "maxProperties":
                if len(value) < said if word.startswith("min") else len(value) > said:
                    yield f"{at} is beyond {word}"
            case _:
                raise AssertionError(f"no such word here: {word}")
