// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The purpose of an S3 request, derived from its method and path-style target. */
public enum RequestKind
{
    /** GET of an object's bytes. */
    GET_DATA,
    HEAD,
    /** GET of a list: the objects of a bucket, or all buckets. */
    LIST,
    PUT,
    DELETE,
    POST,
    /** GET of anything else, such as a bucket's location, and other methods. */
    OTHER;

    private static final Pattern PARAMETERS = Pattern.compile("&");
    private static final Set<String> LIST_PARAMETERS = Set.of(
            "list-type", "prefix", "delimiter", "max-keys", "marker", "continuation-token", "start-after", "fetch-owner", "encoding-type", "x-id");
    private static final Set<String> DATA_PARAMETERS = Set.of("partNumber", "versionId", "x-id");

    static RequestKind of(String method, String target)
    {
        return switch (method) {
            case "GET" -> ofGet(target);
            case "HEAD" -> HEAD;
            case "PUT" -> PUT;
            case "DELETE" -> DELETE;
            case "POST" -> POST;
            default -> OTHER;
        };
    }

    private static RequestKind ofGet(String target)
    {
        int queryStart = target.indexOf('?');
        String path = queryStart < 0 ? target : target.substring(0, queryStart);
        String query = queryStart < 0 ? "" : target.substring(queryStart + 1);
        int keyStart = path.indexOf('/', 1);
        boolean hasKey = keyStart > 0 && keyStart < path.length() - 1;
        boolean plain = query.isEmpty() || PARAMETERS.splitAsStream(query)
                .map(parameter -> parameter.contains("=") ? parameter.substring(0, parameter.indexOf('=')) : parameter)
                .allMatch(name -> hasKey ? isDataParameter(name) : LIST_PARAMETERS.contains(name) || isSignature(name));
        if (!plain) {
            return OTHER;
        }
        return hasKey ? GET_DATA : LIST;
    }

    private static boolean isDataParameter(String name)
    {
        return DATA_PARAMETERS.contains(name) || name.startsWith("response-") || isSignature(name);
    }

    private static boolean isSignature(String name)
    {
        return name.toLowerCase(Locale.ROOT).startsWith("x-amz-");
    }
}
