// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/** MinIO's own requests for users and their policies, which S3 does not have. */
final class MinioAdmin
{
    /*
     * Secrets     travel as salt (32) | 2 | nonce (8) | ciphertext. The key is PBKDF2's of the administrator's secret; the ciphertext is AES-256-GCM's.
     *             Its nonce is followed by a counter (4, little-endian): 0 for an empty text, whose tag belongs to what is authenticated, 1 for the secret
     */
    private static final int SALT_BYTES = 32;
    private static final byte PBKDF2_AES_GCM = 2;
    private static final int ITERATIONS = 8192;
    private static final int KEY_BITS = 256;
    private static final int NONCE_BYTES = 8;
    private static final int TAG_BITS = 128;
    private static final byte LAST = (byte) 0x80;

    private final S3Client client;
    private final String secretKey;

    /** @param secretKey of the administrator whose client it is */
    MinioAdmin(S3Client client, String secretKey)
    {
        this.client = requireNonNull(client, "client is null");
        this.secretKey = requireNonNull(secretKey, "secretKey is null");
    }

    void addUser(String accessKey, String userSecretKey)
    {
        send("add-user", Map.of("accessKey", accessKey), encrypted("{\"secretKey\": \"" + userSecretKey + "\", \"status\": \"enabled\"}"));
    }

    /** Gives a user this policy in place of the one that the user had. */
    void setPolicy(String accessKey, String policy)
    {
        send("add-canned-policy", Map.of("name", accessKey), policy.getBytes(StandardCharsets.UTF_8));
        send("set-user-or-group-policy", Map.of("policyName", accessKey, "userOrGroup", accessKey, "isGroup", "false"), new byte[0]);
    }

    private void send(String command, Map<String, String> parameters, byte[] body)
    {
        client.send("/minio/admin/v3/" + command, parameters, body);
    }

    private byte[] encrypted(String text)
    {
        try {
            SecureRandom random = new SecureRandom();
            byte[] salt = new byte[SALT_BYTES];
            random.nextBytes(salt);
            byte[] nonce = new byte[NONCE_BYTES];
            random.nextBytes(nonce);
            SecretKeySpec key = new SecretKeySpec(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(secretKey.toCharArray(), salt, ITERATIONS, KEY_BITS)).getEncoded(), "AES");
            byte[] tag = cipher(key, nonce, 0).doFinal();
            Cipher cipher = cipher(key, nonce, 1);
            cipher.updateAAD(new byte[] {LAST});
            cipher.updateAAD(tag);
            byte[] encrypted = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.allocate(SALT_BYTES + 1 + NONCE_BYTES + encrypted.length).put(salt).put(PBKDF2_AES_GCM).put(nonce).put(encrypted)
                    .array();
        }
        catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has PBKDF2 and AES-GCM", e);
        }
    }

    private static Cipher cipher(SecretKeySpec key, byte[] nonce, int counter)
            throws GeneralSecurityException
    {
        byte[] iv = ByteBuffer.allocate(NONCE_BYTES + Integer.BYTES).put(nonce).putInt(Integer.reverseBytes(counter)).array();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, iv));
        return cipher;
    }
}
