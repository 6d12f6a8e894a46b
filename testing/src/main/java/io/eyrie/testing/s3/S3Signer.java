// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Signs requests with AWS signature version 4, without signing their bodies. */
final class S3Signer
{
    private static final String REGION = "us-east-1";
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final String accessKey;
    private final String secretKey;

    S3Signer(String accessKey, String secretKey)
    {
        this.accessKey = accessKey;
        this.secretKey = secretKey;
    }

    /**
     * Returns the headers that make the request valid, except Host.
     *
     * @param path encoded, as in the request
     * @param query encoded and sorted, as in the request; empty for none
     */
    Map<String, String> headers(String method, String host, String path, String query, Instant now)
    {
        String time = TIME.format(now);
        String day = time.substring(0, 8);
        Map<String, String> headers = new TreeMap<>(Map.of("host", host, "x-amz-content-sha256", "UNSIGNED-PAYLOAD", "x-amz-date", time));
        String names = String.join(";", headers.keySet());
        String canonical = String.join("\n",
                method,
                path,
                query,
                headers.entrySet().stream().map(header -> header.getKey() + ":" + header.getValue() + "\n").collect(Collectors.joining()),
                names,
                "UNSIGNED-PAYLOAD");
        String scope = String.join("/", day, REGION, "s3", "aws4_request");
        String toSign = String.join("\n", ALGORITHM, time, scope, sha256(canonical));
        byte[] key = utf8("AWS4" + secretKey);
        for (String part : new String[] {day, REGION, "s3", "aws4_request"}) {
            key = hmac(key, part);
        }
        headers.put("Authorization", ALGORITHM + " Credential=" + accessKey + "/" + scope + ", SignedHeaders=" + names + ", Signature=" + HexFormat
                .of().formatHex(hmac(key, toSign)));
        headers.remove("host");
        return headers;
    }

    private static String sha256(String text)
    {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(utf8(text)));
        }
        catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String text)
    {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(utf8(text));
        }
        catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has HmacSHA256", e);
        }
    }

    private static byte[] utf8(String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
