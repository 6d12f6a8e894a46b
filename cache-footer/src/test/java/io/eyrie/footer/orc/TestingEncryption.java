// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.DwrfEncryptionProvider;
import com.facebook.presto.orc.EncryptionLibrary;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;

/** Emulates a key service: its cipher hides nothing, and returns different bytes without the key. */
final class TestingEncryption
        implements EncryptionLibrary
{
    static final Slice KEY = Slices.utf8Slice("key of column 0");
    static final DwrfEncryptionProvider PROVIDER = new DwrfEncryptionProvider(new TestingEncryption(), new TestingEncryption());

    private TestingEncryption()
    {}

    @Override
    public byte[] generateDataEncryptionKey(byte[] keyMetadata)
    {
        return new byte[] {3, 1, 4, 1, 5, 9};
    }

    @Override
    public byte[] encryptKey(byte[] keyMetadata, byte[] input, int offset, int length)
    {
        return encryptData(keyMetadata, input, offset, length);
    }

    @Override
    public byte[] encryptData(byte[] keyMetadata, byte[] input, int offset, int length)
    {
        byte[] output = new byte[length];
        for (int i = 0; i < length; i++) {
            output[i] = (byte) (input[offset + i] ^ keyMetadata[i % keyMetadata.length]);
        }
        return output;
    }

    @Override
    public byte[] decryptKey(byte[] keyMetadata, byte[] input, int offset, int length)
    {
        return encryptData(keyMetadata, input, offset, length);
    }

    @Override
    public byte[] decryptData(byte[] keyMetadata, byte[] input, int offset, int length)
    {
        return encryptData(keyMetadata, input, offset, length);
    }
}
